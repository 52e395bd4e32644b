// Weir in C, by its string interface: store a large result, read a line of it. See ../README.md.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasmtime.h>

static wasmtime_context_t *context;
static wasmtime_component_instance_t instance;

static void check(wasmtime_error_t *error) {
  if (!error) return;
  wasm_name_t message;
  wasmtime_error_message(error, &message);
  fprintf(stderr, "%.*s\n", (int)message.size, message.data);
  exit(1);
}

// Calls a function of the interface `json` with strings. Free the answer.
static char *call(const char *name, size_t count, const char **strings) {
  const char *json = "weir:plugin/json@0.3.0";
  wasmtime_component_export_index_t *interface =
      wasmtime_component_instance_get_export_index(&instance, context, NULL, json, strlen(json));
  wasmtime_component_export_index_t *index =
      wasmtime_component_instance_get_export_index(&instance, context, interface, name, strlen(name));
  wasmtime_component_func_t function;
  if (!index || !wasmtime_component_instance_get_func(&instance, context, index, &function)) abort();
  wasmtime_component_val_t arguments[4], answer = {.kind = WASMTIME_COMPONENT_BOOL};
  for (size_t i = 0; i < count; i++) {
    arguments[i].kind = WASMTIME_COMPONENT_STRING;
    wasm_byte_vec_new(&arguments[i].of.string, strlen(strings[i]), strings[i]);
  }
  check(wasmtime_component_func_call(&function, context, arguments, count, &answer, 1));
  char *text = strndup(answer.of.string.data, answer.of.string.size);
  for (size_t i = 0; i < count; i++) wasmtime_component_val_delete(&arguments[i]);
  wasmtime_component_val_delete(&answer);
  wasmtime_component_export_index_delete(index);
  wasmtime_component_export_index_delete(interface);
  return text;
}

int main(int count, char **argv) {
  static char wasm[32 << 20], result[1 << 20] = "{\"content\":[{\"type\":\"text\",\"text\":\"", arguments[200];
  FILE *file = count == 3 ? fopen(argv[1], "rb") : NULL; // weir.wasm, and a directory for the store
  size_t size = file ? fread(wasm, 1, sizeof wasm, file) : 0;
  wasm_engine_t *engine = wasm_engine_new();
  wasmtime_component_t *component;
  check(wasmtime_component_new(engine, (uint8_t *)wasm, size, &component));
  wasmtime_component_linker_t *linker = wasmtime_component_linker_new(engine);
  check(wasmtime_component_linker_add_wasip2(linker));
  context = wasmtime_store_context(wasmtime_store_new(engine, NULL, NULL));
  wasi_config_t *wasi = wasi_config_new();
  wasi_config_preopen_dir(wasi, argv[2], "/store", true);
  check(wasmtime_context_set_wasi(context, wasi));
  check(wasmtime_component_linker_instantiate(linker, context, component, &instance));
  for (int line = 1, at = strlen(result); line <= 5000; line++) at += sprintf(result + at, "line %d: all is well\\n", line);
  char *shown = call("transform", 2, (const char *[]){"{\"session\":\"c\",\"tool\":\"read_log\"}", strcat(result, "\"}]}")});
  char *id = strstr(shown, "\"id\":\"") + 6;
  snprintf(arguments, sizeof arguments, "{\"id\":\"%.12s\",\"mode\":\"grep\",\"pattern\":\"line 4321:\"}", id);
  puts(call("invoke", 3, (const char *[]){"c", "weir_fetch", arguments}));
}
