#pragma once
#include <dlfcn.h>
#include <vips/vips.h>

// libvips brings some 70 libraries along, which take longer to load than many a run takes to end.
// So nothing is linked with it but with GLib alone: whoever is about to touch pixels loads libvips,
// and calls its functions by way of this table. Each entry has the type that libvips' own header
// declares. A function that is called but not listed is one that the linker does not find.

#define AFFIX_VIPS_FUNCTIONS(F) \
  F(vips_area_unref) \
  F(vips_array_double_new) \
  F(vips_arrayjoin) \
  F(vips_autorot) \
  F(vips_bandjoin2) \
  F(vips_block_untrusted_set) \
  F(vips_cache_set_max) \
  F(vips_cache_set_max_files) \
  F(vips_cache_set_max_mem) \
  F(vips_cast) \
  F(vips_colourspace) \
  F(vips_concurrency_set) \
  F(vips_copy) \
  F(vips_error_buffer_copy) \
  F(vips_error_clear) \
  F(vips_extract_area) \
  F(vips_extract_band) \
  F(vips_flatten) \
  F(vips_gifload_source) \
  F(vips_gifsave_buffer) \
  F(vips_heifload_source) \
  F(vips_icc_transform) \
  F(vips_image_copy_memory) \
  F(vips_image_get_array_int) \
  F(vips_image_get_bands) \
  F(vips_image_get_blob) \
  F(vips_image_get_data) \
  F(vips_image_get_format) \
  F(vips_image_get_height) \
  F(vips_image_get_int) \
  F(vips_image_get_interpretation) \
  F(vips_image_get_n_pages) \
  F(vips_image_get_orientation) \
  F(vips_image_get_orientation_swap) \
  F(vips_image_get_typeof) \
  F(vips_image_get_width) \
  F(vips_image_get_xoffset) \
  F(vips_image_get_yoffset) \
  F(vips_image_hasalpha) \
  F(vips_image_new_from_memory_copy) \
  F(vips_image_set_array_int) \
  F(vips_image_set_int) \
  F(vips_image_set_kill) \
  F(vips_image_set_progress) \
  F(vips_init) \
  F(vips_jpegload_source) \
  F(vips_jpegsave_buffer) \
  F(vips_linear1) \
  F(vips_min) \
  F(vips_operation_block_set) \
  F(vips_pngload_source) \
  F(vips_pngsave_buffer) \
  F(vips_premultiply) \
  F(vips_resize) \
  F(vips_sink) \
  F(vips_smartcrop) \
  F(vips_source_custom_new) \
  F(vips_tiffload_source) \
  F(vips_unpremultiply) \
  F(vips_webpload_source)

#define AFFIX_VIPS_ENTRY(name) __typeof__(name) *_Nonnull name;
typedef struct __attribute__((swift_name("VipsLibrary"), swift_attr("@Sendable"))) {
  AFFIX_VIPS_FUNCTIONS(AFFIX_VIPS_ENTRY)
} AffixVips;
#undef AFFIX_VIPS_ENTRY

// The functions, or what the loader says is missing.
typedef struct {
  const char *_Nullable fault;
  AffixVips library;
} AffixVipsLoading;

// Loads the library of that name for the rest of the process's life. Calls among the libraries that
// it brings are bound as they are made, as in a program that is linked with them: to bind all of
// them at once takes a seventh longer.
static inline AffixVipsLoading affix_vips_load(const char *_Nonnull name) {
  AffixVipsLoading loading = {0};
  void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  gboolean found = handle != NULL;
#define AFFIX_VIPS_FIND(name) \
  if (found) found = (loading.library.name = (__typeof__(name) *)dlsym(handle, #name)) != NULL;
  AFFIX_VIPS_FUNCTIONS(AFFIX_VIPS_FIND)
#undef AFFIX_VIPS_FIND
  if (!found) loading.fault = dlerror();
  return loading;
}
