/// A part of a picture, in pixels from its top left corner.
struct Rectangle: Hashable {
  var x: Int
  var y: Int
  var size: Dimensions
}
