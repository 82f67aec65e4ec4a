/* Decodes every picture of a list with libvips, and nothing else: the floor of the full check.
 *
 *     decode THREADS < LIST */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static char *paths[100000];
static int total;
static atomic_int next_path, failures;

static void *work(void *unused) {
    (void)unused;
    for (int index; (index = atomic_fetch_add(&next_path, 1)) < total;) {
        const char *path = paths[index];
        size_t length = strlen(path), size;
        int all = length > 4 && !strcmp(path + length - 4, ".gif");
        VipsImage *image =
            all ? vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                           VIPS_FAIL_ON_TRUNCATED, "n", -1, NULL)
                : vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                                           VIPS_FAIL_ON_TRUNCATED, NULL);
        void *pixels = image ? vips_image_write_to_memory(image, &size) : NULL;
        if (!pixels) failures++;
        g_free(pixels);
        if (image) g_object_unref(image);
    }
    vips_thread_shutdown();
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 2 || VIPS_INIT(arguments[0])) return 64;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    char line[4096];
    while (total < 100000 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        paths[total++] = strdup(line);
    }
    int threads = atoi(arguments[1]);
    pthread_t handles[64];
    for (int index = 0; index < threads && index < 64; index++)
        pthread_create(&handles[index], NULL, work, NULL);
    for (int index = 0; index < threads && index < 64; index++) pthread_join(handles[index], NULL);
    printf("%d\n", total - failures);
    return failures != 0;
}
