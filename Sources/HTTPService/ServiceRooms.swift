import Observability
import Pipeline

/// What routes work with: one of each, for the whole service.
struct ServiceRooms: Sendable {
  let configuration: HTTPService.Configuration
  let pipeline: AttachmentPipeline
  /// Reads what requests ask for.
  let orders: OrderReader
  let desk: CheckDesk
  let jobs: JobBoard
  let shelf: ResultShelf
  let metrics: ServiceMetrics
  let log: StructuredLog
  /// How often a refusal is written down: who is overrun must not be drowned in lines as well.
  let refusals = LinePace()
  /// Whether no new work is taken on.
  let isDraining: @Sendable () -> Bool
}
