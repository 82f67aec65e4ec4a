extension AttachmentPolicy {
  /// The names of the policies that come with Affix, the default first.
  public static let builtInNames = [
    "push", "apple", "fcm-android", "web-push", "windows-toast", "huawei", "honor", "whatsapp",
    "mms",
  ]

  /// A policy that comes with Affix, by name; nothing for an unknown one.
  public static func builtIn(_ name: String) -> AttachmentPolicy? {
    builtIns[name]
  }

  private static let builtIns: [String: AttachmentPolicy] = {
    var policies: [String: AttachmentPolicy] = [:]
    for file in files {
      guard let policy = try? AttachmentPolicy(json: file) else { continue }
      policies[policy.name] = policy
    }
    return policies
  }()

  private static var files: [[UInt8]] {
    [
      PackageResources.push_json,
      PackageResources.apple_json,
      PackageResources.fcm_android_json,
      PackageResources.web_push_json,
      PackageResources.windows_toast_json,
      PackageResources.huawei_json,
      PackageResources.honor_json,
      PackageResources.whatsapp_json,
      PackageResources.mms_json,
    ]
  }
}
