/* Makes the pictures that previews are made of, the same ones each time.
 *
 *     pictures FOLDER MEGAPIXELS COUNT < PHOTOGRAPHS
 *
 * Mosaics of photographs at their own sharpness, as JPEG of quality 90; every fifth with the noise
 * of a dark room. Where MEGAPIXELS is 0: graphics with alpha, as PNG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static char *paths[1000];
static int total;

static void stop(const char *what) {
    fprintf(stderr, "pictures: %s: %s\n", what, vips_error_buffer());
    exit(70);
}

/* A photograph, in three bands, cut to a tile. */
static VipsImage *tile(int number, int width, int height) {
    VipsImage *image = vips_image_new_from_file(paths[number % total], NULL), *colour, *filled;
    if (!image || vips_colourspace(image, &colour, VIPS_INTERPRETATION_sRGB, NULL)) stop("colours");
    VipsImage *opaque = colour;
    if (vips_image_hasalpha(colour) && vips_flatten(colour, &opaque, NULL)) stop("flatten");
    double scale = fmax((double)width / opaque->Xsize, (double)height / opaque->Ysize);
    VipsImage *large = opaque;
    if (scale > 1 && vips_resize(opaque, &large, scale * 1.001, NULL)) stop("resize");
    if (vips_smartcrop(large, &filled, width, height, "interesting", VIPS_INTERESTING_CENTRE, NULL))
        stop("crop");
    return filled;
}

static void photograph(const char *folder, double megapixels, int number) {
    int side = (int)ceil(sqrt(megapixels / 3));  /* tiles of about 3 megapixels */
    int width = (int)(sqrt(megapixels * 1e6 * 4 / 3) / side), height = width * 3 / 4;
    VipsImage *tiles[64], *joined, *out;
    for (int index = 0; index < side * side; index++)
        tiles[index] = tile(number * 7 + index, width, height);
    if (vips_arrayjoin(tiles, &joined, side * side, "across", side, NULL)) stop("join");
    out = joined;
    if (number % 5 == 4) {
        VipsImage *noise[3], *noises, *sum;
        for (int band = 0; band < 3; band++)
            if (vips_gaussnoise(&noise[band], joined->Xsize, joined->Ysize, "sigma", 14.0, "mean",
                                0.0, "seed", number * 3 + band, NULL))
                stop("noise");
        if (vips_bandjoin(noise, &noises, 3, NULL) || vips_add(joined, noises, &sum, NULL) ||
            vips_cast(sum, &out, VIPS_FORMAT_UCHAR, NULL))
            stop("add");
        out->Type = VIPS_INTERPRETATION_sRGB;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/photograph-%02d.jpg", folder, number);
    if (vips_jpegsave(out, path, "Q", 90, "strip", TRUE, NULL)) stop(path);
}

/* Discs of flat colour with soft edges, on nothing; every second one over a gradient. */
static void graphic(const char *folder, int number) {
    int width = 1600 + number * 100, height = 1200;
    VipsImage *typed;
    unsigned char *pixels = malloc((size_t)width * height * 4), *at = pixels;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, at += 4) {
            double alpha = 0, red = 0, green = 0, blue = 0;
            for (int disc = 0; disc < 6; disc++) {
                double cx = width * (0.15 + 0.14 * disc), cy = height * (0.3 + 0.4 * ((disc + number) % 2));
                double edge = height * 0.22 - hypot(x - cx, y - cy);
                double cover = edge > 4 ? 1 : edge < -4 ? 0 : (edge + 4) / 8;
                if (cover <= 0) continue;
                red = (disc * 60 + number * 20) % 256, green = (disc * 90 + 40) % 256, blue = 255 - red;
                if (number % 2) green = fmod(green + y * 0.1 + x * 0.05, 256);
                alpha = fmax(alpha, cover);
            }
            at[0] = red, at[1] = green, at[2] = blue, at[3] = alpha * 255;
        }
    VipsImage *image =
        vips_image_new_from_memory(pixels, (size_t)width * height * 4, width, height, 4, VIPS_FORMAT_UCHAR);
    if (!image || vips_copy(image, &typed, "interpretation", VIPS_INTERPRETATION_sRGB, NULL)) stop("copy");
    char path[4096];
    snprintf(path, sizeof path, "%s/graphic-%02d.png", folder, number);
    if (vips_pngsave(typed, path, NULL)) stop(path);
    free(pixels);
}

int main(int count, char **arguments) {
    if (count != 4 || VIPS_INIT(arguments[0])) return 64;
    vips_cache_set_max(0);
    char line[4096];
    while (total < 1000 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        paths[total++] = strdup(line);
    }
    double megapixels = atof(arguments[2]);
    for (int number = 0; number < atoi(arguments[3]); number++) {
        if (megapixels > 0) photograph(arguments[1], megapixels, number);
        else graphic(arguments[1], number);
    }
    return 0;
}
