/* Serves ../../conformance/lines.py: one request a line, one answer a line. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../weir.h"

static void answer(char *text) {
  puts(text);
  fflush(stdout);
  weir_free(text);
}

int main(int count, char **given) {
  if (count < 2) return 2;
  weir_options options = {.cache = count > 2 ? given[2] : NULL};
  weir *weir = NULL;
  weir_instance *instance = NULL;
  char *line = NULL, *error = NULL;
  size_t room = 0;
  ssize_t size;
  while ((size = getline(&line, &room, stdin)) > 0) {
    line[size - 1] = 0;
    char *rest = strchr(line, ' ');
    rest = rest ? (*rest = 0, rest + 1) : line + size - 1;
    if (!strcmp(line, "store")) {
      weir_instance_drop(instance);
      weir_close(weir);
      instance = NULL;
      if (!(weir = weir_open(given[1], rest, &options, &error))) return fprintf(stderr, "%s\n", error), 1;
    } else if (!strcmp(line, "fresh")) {
      weir_instance_drop(instance);
      instance = NULL;
    } else if (!strcmp(line, "export")) {
      char *snapshot = strchr(rest, ' ');
      if (!snapshot) return 2;
      *snapshot++ = 0;
      weir_catalog *catalog = weir_catalog_open(weir, snapshot, WEIR_ALL, &error);
      answer(catalog ? weir_catalog_export(catalog, rest, NULL) : error);
      if (catalog) weir_free(error);
      weir_catalog_drop(catalog);
    } else if (!strcmp(line, "maintenance.sweep")) {
      answer(weir_sweep(weir));
    } else if (!strcmp(line, "maintenance.check")) {
      answer(weir_check(weir, false));
    } else if (!strncmp(line, "json.", 5)) {
      if (!instance && !(instance = weir_instance_new(weir, &error))) return fprintf(stderr, "%s\n", error), 1;
      answer(weir_instance_call(instance, line, rest));
    } else {
      answer(weir_call(weir, line, rest));
    }
  }
  weir_instance_drop(instance);
  weir_close(weir);
  free(line);
  return 0;
}
