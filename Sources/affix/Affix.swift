@main
struct Affix {
  static func main() {}
}
