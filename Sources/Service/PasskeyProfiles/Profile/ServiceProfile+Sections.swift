// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// The sections of a profile document. Each keeps the defaults of its type for members that no layer has.

// 400 days  [browsers keep no cookie for longer (RFC 6265bis §5.6.2)]
private let cookieSeconds: ClosedRange<Int64> = 1...34_560_000
private let seconds: ClosedRange<Int64> = 1...315_360_000

extension ServiceProfile.Identifiers {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow([
      "username", "email", "minimumUsername", "maximumUsername", "refusesTakenUsernames", "accountID",
    ])
    self.init()
    if let presence: Presence = try layers.choice("username") { username = presence }
    if let presence: Presence = try layers.choice("email") { email = presence }
    guard username == .required || email == .required else {
      throw layers.invalid("email", "every account needs a name: require user names or email addresses")
    }
    // 64 characters  [one line in a list; WebAuthn clients may cut names after 64 bytes]
    let minimum = try layers.integer("minimumUsername", 1...64) ?? Int64(usernameLength.lowerBound)
    let maximum = try layers.integer("maximumUsername", 1...64) ?? Int64(usernameLength.upperBound)
    guard minimum <= maximum else { throw layers.invalid("maximumUsername", "use at least minimumUsername") }
    usernameLength = Int(minimum)...Int(maximum)
    if let refuses = try layers.boolean("refusesTakenUsernames") { refusesTakenUsernames = refuses }
    if let form: AccountIDForm = try layers.choice("accountID") { accountID = form }
  }
}

extension ServiceProfile.Ceremonies {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow(["residentKey", "userVerification", "timeoutSeconds", "acceptsAnyBase64"])
    self.init()
    if let requirement: Requirement = try layers.choice("residentKey") { residentKey = requirement }
    if let requirement: Requirement = try layers.choice("userVerification") { userVerification = requirement }
    if let accepts = try layers.boolean("acceptsAnyBase64") { acceptsAnyBase64 = accepts }
    // 10 minutes  [WebAuthn §15.1 recommends five to ten]
    if let seconds = try layers.integer("timeoutSeconds", 10...600) { timeoutSeconds = Int(seconds) }
  }
}

extension ServiceProfile.Sessions {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow([
      "deliveries", "scheme", "cookie", "lifetimeSeconds", "idleSeconds", "verificationSeconds", "warningSeconds",
      "refresh",
    ])
    self.init()
    if let chosen: [Delivery] = try layers.choices("deliveries") {
      guard Set(chosen).count == chosen.count else { throw layers.invalid("deliveries", "name each delivery once") }
      deliveries = chosen
    }
    if let choice: Scheme = try layers.choice("scheme") { scheme = choice }
    cookie = try Cookie(try layers.section("cookie"))
    if let lifetime = try layers.integer("lifetimeSeconds", seconds) { lifetimeSeconds = Int(lifetime) }
    idleSeconds = try layers.integer("idleSeconds", seconds).map { Int($0) }
    verificationSeconds = try layers.integer("verificationSeconds", seconds).map { Int($0) }
    if let warning = try layers.integer("warningSeconds", 0...seconds.upperBound) { warningSeconds = Int(warning) }
    let renewal = try layers.section("refresh")
    if !renewal.isEmpty { refresh = try Refresh(renewal) }
  }
}

extension ServiceProfile.Sessions.Cookie {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow(["name", "prefix", "sameSite", "domain", "path", "maximumAgeSeconds", "carriesCeremony"])
    self.init()
    if let text = try layers.text("name") {
      guard ProfileRoute.isToken(text) else { throw layers.invalid("name", "use letters, digits, ., _ and -") }
      name = text
    }
    if let choice: Prefix = try layers.choice("prefix") { prefix = choice }
    if let choice: SameSite = try layers.choice("sameSite") { sameSite = choice }
    if let text = try layers.text("domain") {
      guard Self.isDomain(text) else {
        throw layers.invalid("domain", "use a domain in lower case, without a dot before it")
      }
      domain = text
    }
    if let text = try layers.text("path") {
      guard text.hasPrefix("/"), text.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: ";") }) else {
        throw layers.invalid("path", "use a path that begins with /")
      }
      path = text
    }
    // The prefix excludes a Domain and fixes Path to / (RFC 6265bis §4.1.3.2).
    guard prefix == .none || domain == nil && path == "/" else {
      throw layers.invalid(domain == nil ? "path" : "domain", "it needs the prefix none")
    }
    if let carries = try layers.boolean("carriesCeremony") { carriesCeremony = carries }
    maximumAgeSeconds = try layers.integer("maximumAgeSeconds", cookieSeconds).map { Int($0) }
  }

  private static func isDomain(_ text: String) -> Bool {
    text.utf8.count <= 253
      && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { (label) in
        1...63 ~= label.count
          && label.allSatisfy { (byte) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
              || byte == UInt8(ascii: "-")
          }
      }
  }
}

extension ServiceProfile.Sessions.Refresh {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow(["tokenSeconds", "sessionSeconds"])
    self.init()
    if let lifetime = try layers.integer("tokenSeconds", seconds) { tokenSeconds = Int(lifetime) }
    if let lifetime = try layers.integer("sessionSeconds", seconds) { sessionSeconds = Int(lifetime) }
  }
}

extension ServiceProfile.SignUp {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow(["policy", "pendingAccountsHoldTokens"])
    self.init()
    if let choice: Policy = try layers.choice("policy") { policy = choice }
    if let holds = try layers.boolean("pendingAccountsHoldTokens") { pendingAccountsHoldTokens = holds }
  }
}

extension ServiceProfile.Recovery {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow(["repliesWithoutMail"])
    self.init()
    if let replies = try layers.boolean("repliesWithoutMail") { repliesWithoutMail = replies }
  }
}

extension ServiceProfile.Headers {
  init(_ layers: ProfileLayers, computed: Set<String>) throws(ProfileError) {
    try layers.allow(["stepUp", "client", "tokens", "sessionExpiry", "sessionWarning", "send"])
    self.init()
    let send = try layers.section("send")
    sent = try SentHeader.all(send, computed)
    for name in send.names {
      if let text = try send.text(name), SentHeader.isOrigin(name, text) { sendsOrigin = true }
    }
    func read(_ name: String, _ field: inout String) throws(ProfileError) {
      guard let text = try layers.text(name)?.lowercased() else { return }
      guard ProfileRoute.isToken(text), !Self.reserved.contains(text) else {
        throw layers.invalid(name, "use the name of a header field that HTTP does not define")
      }
      field = text
    }
    try read("stepUp", &stepUp)
    try read("client", &client)
    try read("tokens", &tokens)
    try read("sessionExpiry", &sessionExpiry)
    try read("sessionWarning", &sessionWarning)
    let names = [stepUp, client, tokens, sessionExpiry, sessionWarning]
    guard Set(names).count == names.count else {
      throw ProfileError(.memberInvalid, at: layers.path, "a name is repeated")
    }
    if let field = sent.first(where: { names.contains($0.name) }) {
      throw ProfileError(.memberInvalid, at: "\(layers.path).send.\(field.name)", "the client sets this field itself")
    }
  }

  // Fields that have a meaning in HTTP or for browsers.
  private static let reserved: Set<String> = [
    "accept", "accept-encoding", "accept-language", "authorization", "connection", "content-length", "content-type",
    "cookie", "date", "expect", "host", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
    "upgrade",
    "user-agent", "www-authenticate", "retry-after", "x-request-id", "x-forwarded-for", "forwarded",
  ]
}

extension ServiceProfile.Limits {
  init(_ layers: ProfileLayers) throws(ProfileError) {
    try layers.allow([
      "perAddress", "perAccount", "registrationsPerAddress", "signInsPerAddress", "statusPerAddress",
      "mailsPerAddress",
    ])
    self.init()
    perAddress = try Bucket(try layers.section("perAddress"))
    perAccount = try Bucket(try layers.section("perAccount"))
    registrationsPerAddress = try Bucket(try layers.section("registrationsPerAddress"))
    signInsPerAddress = try Bucket(try layers.section("signInsPerAddress"))
    statusPerAddress = try Bucket(try layers.section("statusPerAddress"))
    mailsPerAddress = try Bucket(try layers.section("mailsPerAddress"))
  }
}

extension ServiceProfile.Limits.Bucket {
  fileprivate init?(_ layers: ProfileLayers) throws(ProfileError) {
    guard !layers.isEmpty else { return nil }
    try layers.allow(["requests", "seconds"])
    guard let requests = try layers.integer("requests", 1...1_000_000) else {
      throw ProfileError(.memberMissing, at: layers.memberPath("requests"))
    }
    guard let seconds = try layers.integer("seconds", 1...86_400) else {
      throw ProfileError(.memberMissing, at: layers.memberPath("seconds"))
    }
    self.init(burst: Int(requests), everyMilliseconds: max(1, Int(seconds * 1_000 / requests)))
  }
}

extension ServiceProfile.Errors {
  init(_ layers: ProfileLayers, _ shapes: ShapeParser) throws(ProfileError) {
    try layers.allow(["shape", "contentType", "statuses"])
    guard let shape = layers.member("shape") else {
      throw ProfileError(.memberMissing, at: layers.memberPath("shape"))
    }
    self.init(shape: try shapes.shape(shape, at: layers.memberPath("shape"), ShapeVariable.error))
    if let type = try layers.text("contentType") {
      guard ["application/json", "application/problem+json"].contains(type) else {
        throw layers.invalid("contentType", "use application/json or application/problem+json")
      }
      contentType = type
    }
    let chosen = try layers.section("statuses")
    for code in chosen.names {
      guard let status = try chosen.integer(code, 400...599) else { continue }
      statuses[code] = Int(status)
    }
  }
}
