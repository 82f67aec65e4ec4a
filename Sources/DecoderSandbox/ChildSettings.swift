package import AttachmentModel
import FoundationEssentials

/// What a child is told when it is started; it travels as an argument.
package struct ChildSettings: Sendable, Codable {
  /// The most bytes of memory beyond what a child has in use before its first file.
  package var addressSpace: Int
  /// The formats whose pixels are decoded; none where structure alone is looked at.
  package var formats: Set<MediaFormat>

  init(addressSpace: ByteCount, formats: Set<MediaFormat>) {
    self.addressSpace = Int(clamping: addressSpace.bytes)
    self.formats = formats
  }

  init?(argument: String) {
    guard let settings = try? JSONDecoder().decode(Self.self, from: Data(argument.utf8)) else {
      return nil
    }
    self = settings
  }

  /// As it travels; nothing where it cannot be written, which is never.
  var argument: String? {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }
}
