/* Holds previews against the picture that they stand for.
 *
 *     compare LONG_EDGE < PAIRS        (a picture and its preview, with a tab between)
 *
 * The reference is the whole picture, decoded in full and resized with Lanczos 3. A preview with
 * fewer pixels is brought to the reference's size first, as a screen does. A line of JSON a pair:
 * SSIM of the luma (8 x 8 windows, every 4 pixels; Wang et al. 2004), PSNR of the luma, and of both
 * chroma planes together, in dB. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static void stop(const char *what) {
    fprintf(stderr, "compare: %s: %s\n", what, vips_error_buffer());
    exit(70);
}

/* Upright sRGB on white, in memory. */
static VipsImage *load(const char *path) {
    VipsImage *image = vips_image_new_from_file(path, NULL), *upright, *colour, *out;
    if (!image || vips_autorot(image, &upright, NULL) ||
        vips_colourspace(upright, &colour, VIPS_INTERPRETATION_sRGB, NULL))
        stop(path);
    out = colour;
    if (vips_image_hasalpha(colour)) {
        VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
        if (vips_flatten(colour, &out, "background", white, NULL)) stop(path);
        vips_area_unref(VIPS_AREA(white));
    }
    return out;
}

static unsigned char *pixels(VipsImage *image, int width, int height, VipsKernel kernel) {
    VipsImage *sized = image, *bytes;
    if (image->Xsize != width || image->Ysize != height)
        if (vips_resize(image, &sized, (double)width / image->Xsize, "vscale",
                        (double)height / image->Ysize, "kernel", kernel, NULL))
            stop("resize");
    if (vips_cast(sized, &bytes, VIPS_FORMAT_UCHAR, NULL)) stop("cast");
    if (bytes->Xsize != width || bytes->Ysize != height || bytes->Bands != 3) stop("another size");
    size_t size;
    unsigned char *memory = vips_image_write_to_memory(bytes, &size);
    if (!memory) stop("pixels");
    return memory;
}

/* Full-range BT.601, as in JFIF. */
static void planes(const unsigned char *rgb, size_t count, float *out[3]) {
    for (size_t index = 0; index < count; index++, rgb += 3) {
        float r = rgb[0], g = rgb[1], b = rgb[2];
        out[0][index] = 0.299f * r + 0.587f * g + 0.114f * b;
        out[1][index] = -0.168736f * r - 0.331264f * g + 0.5f * b;
        out[2][index] = 0.5f * r - 0.418688f * g - 0.081312f * b;
    }
}

static double error(const float *left, const float *right, size_t count) {
    double sum = 0;
    for (size_t index = 0; index < count; index++)
        sum += (left[index] - right[index]) * (left[index] - right[index]);
    return sum / count;
}

static double decibels(double error) { return error > 0 ? 10 * log10(255 * 255 / error) : 99; }

static double similarity(const float *left, const float *right, int width, int height) {
    const double c1 = 6.5025, c2 = 58.5225;
    double sum = 0;
    long windows = 0;
    for (int y = 0; y + 8 <= height; y += 4)
        for (int x = 0; x + 8 <= width; x += 4, windows++) {
            double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
            for (int row = 0; row < 8; row++) {
                const float *l = left + (size_t)(y + row) * width + x;
                const float *r = right + (size_t)(y + row) * width + x;
                for (int column = 0; column < 8; column++) {
                    a += l[column], b += r[column];
                    aa += l[column] * l[column], bb += r[column] * r[column];
                    ab += l[column] * r[column];
                }
            }
            a /= 64, b /= 64;
            double va = aa / 64 - a * a, vb = bb / 64 - b * b, cov = ab / 64 - a * b;
            sum += (2 * a * b + c1) * (2 * cov + c2) / ((a * a + b * b + c1) * (va + vb + c2));
        }
    return windows ? sum / windows : 1;
}

int main(int count, char **arguments) {
    if (count != 2 || VIPS_INIT(arguments[0])) return 64;
    vips_cache_set_max(0);
    int edge = atoi(arguments[1]);
    char line[16384], last[16384] = "";
    float *sides[2][3] = {{0}};
    int width = 0, height = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *preview = strchr(line, '\t');
        if (!preview) return 64;
        *preview++ = 0;
        if (strcmp(line, last)) {
            VipsImage *picture = load(line);
            int longer = picture->Xsize > picture->Ysize ? picture->Xsize : picture->Ysize;
            double scale = longer > edge ? (double)edge / longer : 1;
            width = (int)rint(picture->Xsize * scale), height = (int)rint(picture->Ysize * scale);
            for (int side = 0; side < 2; side++)
                for (int plane = 0; plane < 3; plane++)
                    sides[side][plane] = realloc(sides[side][plane], sizeof(float) * width * height);
            unsigned char *memory = pixels(picture, width, height, VIPS_KERNEL_LANCZOS3);
            planes(memory, (size_t)width * height, sides[0]);
            g_free(memory);
            g_object_unref(picture);
            snprintf(last, sizeof last, "%s", line);
        }
        VipsImage *small = load(preview);
        unsigned char *memory = pixels(small, width, height, VIPS_KERNEL_CUBIC);
        planes(memory, (size_t)width * height, sides[1]);
        g_free(memory);
        g_object_unref(small);
        size_t size = (size_t)width * height;
        double chroma = (error(sides[0][1], sides[1][1], size) + error(sides[0][2], sides[1][2], size)) / 2;
        printf("{\"ssim\":%.5f,\"psnr_luma\":%.3f,\"psnr_chroma\":%.3f}\n",
               similarity(sides[0][0], sides[1][0], width, height),
               decibels(error(sides[0][0], sides[1][0], size)), decibels(chroma));
        fflush(stdout);
    }
    return 0;
}
