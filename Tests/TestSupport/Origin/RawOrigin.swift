import Glibc
import Synchronization

/// A server that does on its connections what its routes say, step by step, whatever HTTP says.
///
/// One thread polls all connections; nothing in it blocks.
final class RawOrigin: Sendable {
  let port: UInt16
  private let routes: OriginRoutes
  private let listener: CInt
  private let wakeUp: (reading: CInt, writing: CInt)
  private let thread = Mutex<JoinableThread?>(nil)

  /// Starts to serve on a free port.
  init(address: String, routes: OriginRoutes) throws(OriginError) {
    self.routes = routes
    (listener, port) = try LoopbackSocket.bound(to: address, backlog: 1_024)
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      close(listener)
      throw OriginError(description: "no pipe: errno \(errno)")
    }
    for end in ends { LoopbackSocket.keepToOurselves(end) }
    wakeUp = (ends[0], ends[1])
    let loop = Loop(listener: listener, wakeUp: ends[0], routes: routes)
    let thread = try JoinableThread { loop.run() }
    self.thread.withLock { $0 = thread }
  }

  /// Closes every connection and the port, and waits for the thread; a second call does nothing.
  func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    close(wakeUp.writing)
    thread.join()
    close(wakeUp.reading)
    close(listener)
  }

  deinit {
    stop()
  }
}

/// What the thread runs.
private struct Loop: Sendable {
  let listener: CInt
  let wakeUp: CInt
  let routes: OriginRoutes

  /// Serves until the other end of the wake-up pipe is closed.
  func run() {
    var connections: [RawConnection] = []
    while true {
      var descriptors = [
        pollfd(fd: wakeUp, events: 0, revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      let now = routes.now
      var patience = Duration.seconds(60)
      for connection in connections {
        descriptors.append(
          pollfd(fd: connection.descriptor, events: connection.events, revents: 0)
        )
        patience = min(patience, connection.wakeTime - now)
      }
      let timeout = max(0, (patience / .milliseconds(1)).rounded(.up))
      poll(&descriptors, nfds_t(descriptors.count), CInt(timeout))
      guard descriptors[0].revents == 0 else { break }

      for (index, descriptor) in descriptors.dropFirst(2).enumerated() {
        let isDue = connections[index].wakeTime <= routes.now
        guard descriptor.revents != 0 || isDue else { continue }
        let isReadable = descriptor.revents & ~Int16(POLLOUT) != 0
        connections[index].proceed(readable: isReadable, routes: routes)
      }
      connections.removeAll { connection in
        guard connection.isOver else { return false }
        connection.end()
        routes.closed()
        return true
      }
      if descriptors[1].revents != 0 { accept(into: &connections) }
    }
    for connection in connections {
      connection.end()
      routes.closed()
    }
  }

  private func accept(into connections: inout [RawConnection]) {
    while connections.count < 1_000 {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      LoopbackSocket.keepToOurselves(descriptor)
      LoopbackSocket.sendAtOnce(descriptor)
      connections.append(
        RawConnection(descriptor: descriptor, number: routes.opened(), now: routes.now)
      )
    }
  }
}
