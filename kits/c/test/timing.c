/* C's part of ../../timing.py: timing COMPONENT SNAPSHOT STORE CACHE */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../weir.h"

static weir *host;
static weir_catalog *catalog;
static char *texts[2][6], *snapshot, call[100];

static double now(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; }

/* Milliseconds of CPU: the first, and the median of some after so many that warm up. */
static void measure(const char *name, void (*work)(int), int warm, int times) {
  double took[100], first = now();
  work(-1);
  first = now() - first;
  for (int n = 1; n < warm; n++) work(-1);
  for (int n = 0; n < times; n++) {
    double start = now();
    work(n);
    took[n] = now() - start;
  }
  qsort(took, (size_t)times, sizeof *took, by_size);
  printf("%s\"%s\": %.3f, \"%s first\": %.3f", strcmp(name, "small") ? ", " : "{", name, took[times / 2], name, first);
}

static char *log_text(size_t size, int turn) {
  char *made = malloc(size + 200);
  size_t at = (size_t)sprintf(made, "turn %d\n", turn);
  while (at < size)
    at += (size_t)sprintf(made + at, "2026-01-02T03:04:05Z worker-%d INFO request served in 12 ms, all is well\n", (turn + 7) % 7);
  return made;
}

static void small(int n) {
  (void)n;
  weir_free(weir_show(host, "s", "t", "all is well all is well all is well all is well all is well all is well", WEIR_ALL));
}
static void one(int n) { weir_free(weir_show(host, "s", "t", texts[0][n + 1], WEIR_ALL)); }
static void ten(int n) { weir_free(weir_show(host, "s", "t", texts[1][n + 1], WEIR_ALL)); }
static void grep(int n) { (void)n, weir_free(weir_invoke(host, "s", "weir_fetch", call)); }
static void build(int n) {
  (void)n;
  weir_catalog_drop(catalog);
  catalog = weir_catalog_open(host, snapshot, WEIR_ALL, NULL);
}
static void search(int n) {
  (void)n;
  weir_free(weir_catalog_invoke(catalog, "tool_search", "{\"query\":\"open a pull request\"}", NULL));
}

int main(int count, char **given) {
  if (count < 5) return 2;
  weir_options options = {.cache = given[4]};
  char *error = NULL;
  if (!(host = weir_open(given[1], given[3], &options, &error))) return fprintf(stderr, "%s\n", error), 1;
  FILE *file = fopen(given[2], "rb");
  if (!file || !(snapshot = calloc(1, 64 << 20)) || !fread(snapshot, 1, (64 << 20) - 1, file)) return 1;
  for (int n = 0; n < 6; n++) texts[0][n] = log_text(1000000, n - 1), texts[1][n] = log_text(10000000, n - 1);
  measure("small", small, 1, 100);
  measure("transform 1 MB", one, 20, 5);
  measure("transform 10 MB", ten, 3, 5);
  char *stored = weir_call(host, "reading.list-blobs", "{\"session\":\"s\",\"maxEntries\":20}");
  /* The first of them all is the last that was looked at: any large one will do. */
  char *id = NULL;
  for (int n = 0; n < 20 && !id; n++) {
    char at[60];
    snprintf(at, sizeof at, "/entries/%d/handle/bytes", n);
    char *bytes = weir_get(stored, at);
    snprintf(at, sizeof at, "/entries/%d/handle/id", n);
    if (bytes && strlen(bytes) > 7) id = weir_get(stored, at);
    weir_free(bytes);
  }
  snprintf(call, sizeof call, "{\"id\":\"%s\",\"mode\":\"grep\",\"pattern\":\"nowhere\"}", id ? id : "");
  measure("grep 10 MB", grep, 20, 5);
  measure("catalog", build, 1, 3);
  measure("search", search, 20, 20);
  puts("}");
  return 0;
}
