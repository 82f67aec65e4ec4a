/* Makes previews with libvips in one process and one thread, the plain ways.
 *
 *     passes thumbnail|shrink|bisect FOLDER LONG_EDGE LIMIT < LIST
 *
 * thumbnail: one vips_thumbnail, one JPEG of quality 75. shrink: the same with the JPEG decoder
 * asked to shrink by itself. bisect: as shrink, then a search for the best quality that keeps the
 * limit. Writes FOLDER/<name>.jpg, and a line of JSON a picture. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vips/vips.h>

static int edge;
static size_t limit;

static void stop(const char *what) {
    fprintf(stderr, "passes: %s: %s\n", what, vips_error_buffer());
    exit(70);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static VipsImage *thumbnail(const char *path) {
    VipsImage *out;
    if (vips_thumbnail(path, &out, edge, "height", edge, "size", VIPS_SIZE_DOWN, NULL)) stop(path);
    return out;
}

static VipsImage *shrunk(const char *path) {
    if (!g_str_has_suffix(path, ".jpg")) return thumbnail(path);
    VipsImage *header, *image, *out;
    if (vips_jpegload(path, &header, NULL)) stop(path);
    double reduction = (double)(header->Xsize > header->Ysize ? header->Xsize : header->Ysize) / edge;
    int shrink = reduction >= 8 ? 8 : reduction >= 4 ? 4 : reduction >= 2 ? 2 : 1;
    g_object_unref(header);
    if (vips_jpegload(path, &image, "shrink", shrink, "access", VIPS_ACCESS_SEQUENTIAL, NULL)) stop(path);
    int longer = image->Xsize > image->Ysize ? image->Xsize : image->Ysize;
    if (longer <= edge) return image;
    if (vips_resize(image, &out, (double)edge / longer, NULL)) stop(path);
    g_object_unref(image);
    return out;
}

static VipsImage *opaque(VipsImage *image) {
    VipsImage *out;
    if (!vips_image_hasalpha(image)) return image;
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    if (vips_flatten(image, &out, "background", white, NULL)) stop("flatten");
    vips_area_unref(VIPS_AREA(white));
    g_object_unref(image);
    return out;
}

static void *encoded(VipsImage *image, int quality, size_t *size) {
    void *bytes;
    if (vips_jpegsave_buffer(image, &bytes, size, "Q", quality, "strip", TRUE, NULL)) stop("encode");
    return bytes;
}

static void *bisected(VipsImage *lazy, size_t *size, int *encodes, int *best_quality) {
    VipsImage *image = vips_image_copy_memory(lazy);
    void *best = NULL;
    for (int low = 1, high = 95; low <= high;) {
        int quality = (low + high) / 2;
        size_t length;
        void *bytes = encoded(image, quality, &length);
        ++*encodes;
        if (length <= limit) {
            g_free(best);
            best = bytes, *size = length, *best_quality = quality, low = quality + 1;
        } else {
            g_free(bytes);
            high = quality - 1;
        }
    }
    if (!best) best = encoded(image, 1, size);
    g_object_unref(image);
    return best;
}

int main(int count, char **arguments) {
    if (count != 5 || VIPS_INIT(arguments[0])) return 64;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    const char *way = arguments[1];
    edge = atoi(arguments[3]);
    limit = strtoul(arguments[4], NULL, 10);
    char path[4096];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = 0;
        double wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
        size_t size;
        int encodes = 1, quality = 75;
        VipsImage *image = opaque(strcmp(way, "thumbnail") ? shrunk(path) : thumbnail(path));
        void *bytes = strcmp(way, "bisect") ? encoded(image, 75, &size)
                                            : (encodes = 0, bisected(image, &size, &encodes, &quality));
        g_object_unref(image);
        wall = now(CLOCK_MONOTONIC) - wall, cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        char *name = g_path_get_basename(path), target[8192];
        snprintf(target, sizeof target, "%s/%s.jpg", arguments[2], name);
        FILE *file = fopen(target, "wb");
        if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) stop(target);
        printf("{\"name\":\"%s\",\"ms\":%.3f,\"cpu_ms\":%.3f,\"bytes\":%zu,\"encodes\":%d,\"quality\":%d}\n",
               name, wall, cpu, size, encodes, quality);
        g_free(bytes);
        g_free(name);
    }
    return 0;
}
