/* Makes pictures of 10 to 300 kB, the same ones each time.
 *
 *     pictures FOLDER COUNT
 *
 * Six of ten are JPEG, three PNG, one GIF. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <vips/vips.h>

enum { LEAST = 10000, MOST = 300000 };

static void stop(const char *what) {
    fprintf(stderr, "pictures: %s: %s\n", what, vips_error_buffer());
    exit(70);
}

/* Clouds, as smooth as a photograph's background, with some grain. */
static VipsImage *scene(int width, int height, int seed) {
    VipsImage *bands[3], *joined, *noise, *sum, *scaled;
    for (int band = 0; band < 3; band++)
        if (vips_perlin(&bands[band], width, height, "cell_size", 48 + seed % 5 * 40, "seed",
                        seed * 3 + band, NULL))
            stop("perlin");
    if (vips_bandjoin(bands, &joined, 3, NULL)) stop("bandjoin");
    if (vips_gaussnoise(&noise, width, height, "sigma", 0.004 * (seed % 7), "mean", 0.0, "seed",
                        seed, NULL))
        stop("gaussnoise");
    if (vips_add(joined, noise, &sum, NULL)) stop("add");
    if (vips_linear1(sum, &scaled, 110, 128, "uchar", TRUE, NULL)) stop("linear");
    VipsImage *typed;
    if (vips_copy(scaled, &typed, "interpretation", VIPS_INTERPRETATION_sRGB, NULL)) stop("copy");
    for (int band = 0; band < 3; band++) g_object_unref(bands[band]);
    g_object_unref(joined);
    g_object_unref(noise);
    g_object_unref(sum);
    g_object_unref(scaled);
    return typed;
}

static long long save(VipsImage *image, const char *path, int kind, int seed) {
    int failed = kind < 6   ? vips_jpegsave(image, path, "Q", 70 + seed % 4 * 6, NULL)
                 : kind < 9 ? vips_pngsave(image, path, NULL)
                            : vips_gifsave(image, path, "effort", 1, NULL);
    struct stat status;
    if (failed || stat(path, &status)) stop(path);
    return status.st_size;
}

int main(int count, char **arguments) {
    if (count != 3 || VIPS_INIT(arguments[0])) return 64;
    vips_cache_set_max(0);
    static const char *suffixes[] = {"jpg", "png", "gif"};
    for (int seed = 0; seed < atoi(arguments[2]); seed++) {
        int kind = seed % 10;
        int width = kind < 6 ? 400 + seed * 37 % 1200 : 120 + seed * 37 % 360;
        char path[4096];
        snprintf(path, sizeof path, "%s/picture-%04d.%s", arguments[1], seed,
                 suffixes[kind < 6 ? 0 : kind < 9 ? 1 : 2]);
        for (int attempt = 0; attempt < 12; attempt++) {
            VipsImage *image = scene(width, width * 3 / 4, seed);
            long long size = save(image, path, kind, seed);
            g_object_unref(image);
            if (size >= LEAST && size <= MOST) break;
            width = size < LEAST ? width * 3 / 2 : width * 3 / 4;
        }
    }
    vips_shutdown();
    return 0;
}
