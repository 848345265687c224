// SPDX-License-Identifier: Apache-2.0

import PasskeyHTTP
import PasskeyProfiles
import PasskeyServiceTestSupport
import Testing

struct MetricsAudienceTests {
  @Test func `only local clients without a proxy may read the metrics`() async throws {
    let world = try EndpointWorld()
    try await world.send("GET", "/metrics", nil, [("Host", "localhost")]).expect(200)
    for header in ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"] {
      try await world.send("GET", "/metrics", nil, [("Host", "localhost"), (header, "127.0.0.1")]).expect(
        404, "http.not-found")
    }
  }

  @Test func `local metrics are refused to requests with repeated proxy headers`() async throws {
    let world = try EndpointWorld()
    for header in ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host", "CF-Connecting-IP"] {
      for values in [["192.0.2.7"], ["192.0.2.7", "192.0.2.7"], ["", ""], ["a", "b", "c"]] {
        let fields = [("Host", "localhost")] + values.map { (header, $0) }
        try await world.send("GET", "/metrics", nil, fields).expect(404, "http.not-found")
      }
    }
  }

  @Test func `local metrics are refused to pages of other domains that resolve here`() async throws {
    let world = try EndpointWorld()
    for host in ["localhost", "localhost:8080", "127.0.0.1", "127.0.0.1:8080", "[::1]:8080"] {
      try await world.send("GET", "/metrics", nil, [("Host", host)]).expect(200)
    }
    for host in ["raxx.app", "evil.example:8080", "localhost.evil.example", "192.0.2.7", "localhost:x"] {
      try await world.send("GET", "/metrics", nil, [("Host", host)]).expect(404, "http.not-found")
    }
  }

  @Test func `the metrics are public or disabled if configured`() async throws {
    let open = try EndpointWorld(audience: .public)
    try await open.send("GET", "/metrics", nil, [("X-Forwarded-For", "192.0.2.7")]).expect(200)
    let shut = try EndpointWorld(audience: .off)
    try await shut.send("GET", "/metrics", nil, [("Host", "localhost")]).expect(404, "http.not-found")
  }
}
