/* weir COMPONENT FOLDER [CACHE]: what the library promises beyond carrying calls across. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../weir.h"

static int failures;

#define CHECK(holds) ((holds) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #holds)))

/* What an answer has at a pointer is this text. Takes the answer when `last`. */
static bool is(const char *answer, const char *pointer, const char *wanted) {
  char *found = weir_get(answer, pointer);
  bool same = found ? !strcmp(found, wanted) : false;
  if (!same) printf("%s is %s in %.300s\n", pointer, found ? found : "missing", answer);
  weir_free(found);
  return same;
}

static char *lines(int count) {
  char *made = malloc((size_t)count * 32 + 1);
  size_t at = 0;
  for (int n = 1; n <= count; n++) at += (size_t)sprintf(made + at, "%d: %s\n", n, n == 4321 ? "error: disk is full" : "all is well");
  return made;
}

static void results(weir *weir) {
  char *log = lines(9000);
  char *small = weir_show(weir, "alice", "tool", "all is well", WEIR_ALL);
  CHECK(!strcmp(small, "all is well"));
  size_t sizes[2];
  char *zero = weir_show_sized(weir, "alice", "tool", "a\0b", 3, &sizes[0]);
  CHECK(sizes[0] == 3 && !memcmp(zero, "a\0b", 4));
  char *sized = weir_show_sized(weir, "alice", "sized", log, WEIR_ALL, &sizes[1]);
  CHECK(sizes[1] == strlen(sized) && sizes[1] < 8000);
  weir_free(zero), weir_free(sized);
  char *shown = weir_show(weir, "alice", "read_log", log, WEIR_ALL);
  CHECK(strlen(shown) < 8000 && strstr(shown, "9,000"));
  char *blobs = weir_call(weir, "reading.list-blobs", "{\"session\":\"alice\",\"maxEntries\":5}");
  char *id = weir_get(blobs, "/entries/0/handle/id");
  char call[100];
  snprintf(call, sizeof call, "{\"id\":\"%s\",\"mode\":\"grep\",\"pattern\":\"error:\"}", id ? id : "");
  char *answer = weir_invoke(weir, "alice", "weir_fetch", call);
  char *text = weir_get(answer, "/content/0/text");
  CHECK(text && strstr(text, "4321: error: disk is full"));
  char *others = weir_call(weir, "reading.list-blobs", "{\"session\":\"bob\",\"maxEntries\":5}");
  CHECK(is(others, "/total", "0"));
  /* Bytes that are not UTF-8, which wasmtime would end the process on. */
  char *bytes = weir_show(weir, "alice", "tool", "caf\xE9 \xC3\xA9 \xED\xA0\x80 \xF0\x9F\x98", WEIR_ALL);
  CHECK(strstr(bytes, "caf"));
  char *mcp = weir_transform(weir, "{\"session\":\"alice\",\"tool\":\"t\"}", "\xFF\xFE\0x", 4);
  CHECK(is(mcp, "/replaced", "false"));
  char *all[] = {log, small, shown, blobs, id, answer, text, others, bytes, mcp};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

static void pieces(weir *weir) {
  char *error = NULL, *log = lines(20000);
  weir_intake *intake = weir_intake_open(weir, "{\"session\":\"alice\",\"tool\":\"stream\"}", &error);
  CHECK(intake && !error);
  /* The two bytes of a character arrive apart. */
  weir_free(weir_intake_write(intake, "\xC3", 1));
  weir_free(weir_intake_write(intake, "\xA9\n", 2));
  for (size_t at = 0, size = strlen(log); at < size; at += 10007)
    weir_free(weir_intake_write(intake, log + at, size - at < 10007 ? size - at : 10007));
  char *answer = weir_intake_finish(intake, false);
  CHECK(is(answer, "/reason", "stored"));
  char *id = weir_get(answer, "/handles/0/id");
  char arguments[200];
  snprintf(arguments, sizeof arguments, "{\"session\":\"alice\",\"id\":\"%s\",\"start\":1,\"count\":2}", id ? id : "");
  char *page = weir_call(weir, "reading.read", arguments);
  CHECK(is(page, "/content", "\xC3\xA9\n1: all is well\n"));
  weir_intake *dropped = weir_intake_open(weir, "{\"session\":\"alice\",\"tool\":\"stream\"}", NULL);
  weir_free(weir_intake_write(dropped, "half", WEIR_ALL));
  weir_intake_drop(dropped);
  CHECK(!weir_intake_open(weir, "{\"tool\":\"no session\"}", &error));
  CHECK(error && strstr(error, "\"error\""));
  char *all[] = {log, answer, id, page, error};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

static void tools(weir *weir) {
  size_t room = 400000, at = 0;
  char *snapshot = malloc(room), *answer = NULL;
  at += (size_t)sprintf(snapshot, "{\"tools\":[");
  for (int n = 0; n < 1000; n++)
    at += (size_t)snprintf(snapshot + at, room - at, "%s{\"name\":\"tool_%d\",\"description\":\"%s number %d\",\"inputSchema\":{\"type\":\"object\"}}",
                           n ? "," : "", n, n == 500 ? "Send an invoice to a customer" : "Does something", n);
  snprintf(snapshot + at, room - at, "]}");
  weir_catalog *catalog = weir_catalog_open(weir, snapshot, WEIR_ALL, &answer);
  CHECK(catalog && is(answer, "/catalog", "1"));
  char *assembled = weir_catalog_assemble(catalog, NULL);
  CHECK(is(assembled, "/active", "true"));
  char *found = weir_catalog_invoke(catalog, "tool_search", "{\"query\":\"send an invoice\"}", NULL);
  char *text = weir_get(found, "/result/content/0/text");
  CHECK(text && strstr(text, "tool_500"));
  char *bad = NULL;
  CHECK(!weir_catalog_open(weir, "no catalog", WEIR_ALL, &bad));
  CHECK(bad && strstr(bad, "\"error\""));
  weir_catalog_drop(catalog);
  char *all[] = {snapshot, answer, assembled, found, text, bad};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

/* A snapshot of `count` tools. */
static char *many(int count) {
  size_t room = 100 * (size_t)count + 20, at = 0;
  char *made = malloc(room);
  for (int n = 0; n < count; n++) at += (size_t)snprintf(made + at, room - at, "%s{\"name\":\"tool_%d\"}", n ? "," : "{\"tools\":[", n);
  snprintf(made + at, room - at, "]}");
  return made;
}

static void exports(weir *weir) {
  const char *servers = "{\"servers\":[{\"name\":\"files\",\"tools\":[{\"name\":\"list.files\",\"inputSchema\":{\"properties\":{\"$filter\":"
                        "{\"type\":\"string\"}}}},{\"name\":\"send\",\"pinned\":true,\"inputSchema\":{\"type\":\"object\"}}]}]}";
  weir_catalog *catalog = weir_catalog_open(weir, servers, WEIR_ALL, NULL);
  char *exported = weir_catalog_export(catalog, "anthropic-bm25", " "), *name = weir_get(exported, "/tools/1/name");
  CHECK(is(exported, "/tools/0/type", "tool_search_tool_bm25_20251119") && is(exported, "/tools/1/defer_loading", "true"));
  char *call = weir_exported_call(exported, name, "{\"__filter_e2ba687d\":\"a\",\"none\":1}");
  char *id = weir_get(call, "/name"), *arguments = weir_get(call, "/arguments");
  CHECK(!strcmp(id, "list.files") && !strcmp(arguments, "{\"$filter\":\"a\",\"none\":1}"));
  char *answer = weir_catalog_invoke(catalog, id, arguments, NULL);
  CHECK(is(answer, "/calls/0/name", "list.files") && is(answer, "/calls/0/arguments/$filter", "a"));
  char *unread = weir_exported_call(exported, name, "no JSON"), *none = weir_exported_call("no JSON", "nowhere", NULL);
  CHECK(is(unread, "/name", "list.files") && is(unread, "/arguments", "no JSON"));
  CHECK(is(none, "/name", "nowhere") && is(none, "/arguments", "{}"));
  char *no_form = weir_catalog_export(catalog, "bed\xFFrock", NULL), *bad = weir_catalog_export(catalog, "openai", "{\"pinn\":[]}");
  CHECK(is(no_form, "/error/code", "invalid") && is(no_form, "/error/names/1", "anthropic-bm25"));
  CHECK(is(bad, "/error/code", "invalid"));
  char *no_json = weir_catalog_export(catalog, "openai", "["), *snapshot = many(513);
  CHECK(is(no_json, "/error/code", "invalid"));
  weir_catalog_drop(catalog);
  catalog = weir_catalog_open(weir, snapshot, WEIR_ALL, NULL);
  char *too_many = weir_catalog_export(catalog, "gemini", "{\"mode\":\"off\"}"), *all_tools = weir_catalog_export(catalog, "openai", "{\"mode\":\"off\"}");
  CHECK(is(too_many, "/error/code", "too-many-tools") && is(too_many, "/error/total", "513"));
  CHECK(is(too_many, "/error/message", "gemini takes 512 tools and these are 513: export another form, or a smaller catalog"));
  CHECK(is(all_tools, "/tools/512/name", "tool_512"));
  weir_catalog_drop(catalog);
  /* A schema of many levels: what lies deeper may be anything. */
  enum { LEVELS = 3000 };
  char *deep = malloc(LEVELS * 10 + 200);
  size_t at = (size_t)sprintf(deep, "{\"tools\":[{\"name\":\"deep\",\"pinned\":true,\"inputSchema\":{\"properties\":{\"a\":");
  for (int n = 0; n < LEVELS; n++) at += (size_t)sprintf(deep + at, "{\"items\":");
  at += (size_t)sprintf(deep + at, "{}");
  for (int n = 0; n < LEVELS; n++) deep[at++] = '}';
  strcpy(deep + at, "}}}]}");
  catalog = weir_catalog_open(weir, deep, WEIR_ALL, NULL);
  char *levels = weir_catalog_export(catalog, "openai", "{\"mode\":\"off\"}");
  CHECK(is(levels, "/tools/0/name", "deep") && strlen(levels) < 1000);
  weir_catalog_drop(catalog);
  char *all[] = {exported, name, call, id, arguments, answer, unread, none, no_form, bad, no_json, snapshot, too_many, all_tools, deep, levels};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

static void refused(weir *weir) {
  struct {
    const char *function, *arguments, *code;
  } calls[] = {
      {"reading.stat", "{\"session\":\"alice\",\"id\":\"000000000000\"}", "unknown"},
      {"reading.stat", "{\"session\":\"alice\",\"key\":\"0\"}", "arguments"},
      {"reading.stat", "{\"session\":\"alice\"", "arguments"},
      {"reading.stat", "7", "arguments"},
      {"reading.grep", "{\"session\":\"alice\",\"id\":\"0\",\"pattern\":\"x\",\"before\":-1}", "arguments"},
      {"reading.grep", "{\"session\":\"alice\",\"id\":\"0\",\"pattern\":\"x\",\"before\":4294967296}", "arguments"},
      {"reading.grep", "{\"session\":\"alice\",\"id\":\"0\",\"pattern\":\"x\",\"view\":\"sideways\"}", "arguments"},
      {"reading.nothing", "{}", "function"},
      {"nothing", "{}", "function"},
      {"json.status", "[1]", "arguments"},
      {"json.pin", "[\"alice\"]", "arguments"},
  };
  for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
    char *answer = weir_call(weir, calls[n].function, calls[n].arguments);
    CHECK(is(answer, "/error/code", calls[n].code));
    weir_free(answer);
  }
  char deep[1000] = "{\"session\":";
  memset(deep + strlen(deep), '[', 900 - strlen(deep));
  char *answer = weir_call(weir, "reading.stat", deep);
  CHECK(is(answer, "/error/code", "arguments"));
  weir_free(answer);
  CHECK(!weir_get("{\"a\":1}", "/b") && !weir_get("{", "/a") && !weir_get(NULL, "/a"));
  char *escaped = weir_get("{\"a\":[0,\"\\u00e9\\ud83d\\ude00\\ud800\\n\"]}", "/a/1");
  CHECK(escaped && !strcmp(escaped, "\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBD\n"));
  weir_free(escaped);
  /* Of members with one name the last counts, among few and among many. */
  char *twice = weir_get("{\"a\":1,\"b\":2,\"a\":3}", "/a"), object[2000] = "{\"a\":1", *last;
  for (int n = 0; n < 100; n++) sprintf(object + strlen(object), ",\"b%d\":%d", n, n);
  strcat(object, ",\"b7\":\"x\"}");
  last = weir_get(object, "/b7");
  CHECK(twice && !strcmp(twice, "3") && last && !strcmp(last, "x") && is(object, "/b99", "99") && !weir_get(object, "/b100"));
  weir_free(twice), weir_free(last);
}

static weir_limits little(void *data, const char *function, size_t bytes, weir_limits usual) {
  (void)bytes;
  if (!strcmp(function, "result-transform.transform") || !strcmp(function, "json.transform")) usual.fuel = *(uint64_t *)data;
  return usual;
}

static weir_limits soon(void *data, const char *function, size_t bytes, weir_limits usual) {
  (void)data, (void)bytes;
  if (!strcmp(function, "json.transform")) usual.seconds = 0;
  return usual;
}

static void limits(const char *component, const char *folder, weir_options options) {
  uint64_t fuel = 300000;
  options.limits = little;
  options.limits_data = &fuel;
  char *log = lines(9000), *error = NULL;
  weir *tight = weir_open(component, folder, &options, &error);
  CHECK(tight);
  char *answer = weir_transform(tight, "{\"session\":\"alice\",\"tool\":\"t\"}", log, WEIR_ALL);
  CHECK(is(answer, "/error/code", "trapped") && is(answer, "/error/reason", "fuel"));
  char *shown = weir_show(tight, "alice", "t", log, WEIR_ALL);
  CHECK(!strcmp(shown, log));
  /* A dead instance says so. */
  weir_instance *instance = weir_instance_new(tight, NULL);
  char *text = malloc(strlen(log) + 200);
  snprintf(text, strlen(log) + 200, "[\"{\\\"session\\\":\\\"a\\\",\\\"tool\\\":\\\"t\\\"}\",\"");
  size_t at = strlen(text);
  for (const char *from = log; *from; from++)
    if (*from != '\n') text[at++] = *from;
  strcpy(text + at, "\"]");
  char *first = weir_instance_call(instance, "json.transform", text), *second = weir_instance_call(instance, "json.status", "[]");
  CHECK(is(first, "/error/reason", "fuel") && is(second, "/error/code", "trapped"));
  weir_instance_drop(instance);
  weir_close(tight);
  /* A deadline: much text, no time. */
  options.limits = soon;
  char *much = lines(2000000);
  weir *hasty = weir_open(component, folder, &options, &error);
  char *late = weir_transform(hasty, "{\"session\":\"alice\",\"tool\":\"t\"}", much, WEIR_ALL);
  CHECK(is(late, "/error/code", "trapped") && is(late, "/error/reason", "deadline"));
  weir_close(hasty);
  char *all[] = {log, answer, shown, text, first, second, much, late};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

/* What is said of a file that holds these bytes. */
static bool is_refused(const char *folder, const char *bytes, size_t size, const char *wanted) {
  char path[500], *error = NULL;
  snprintf(path, sizeof path, "%s/bad.wasm", folder);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) return false;
  weir *opened = weir_open(path, NULL, NULL, &error);
  bool said = !opened && error && strstr(error, wanted) && strstr(error, "from one release") && !strchr(error, '\n');
  if (!said) printf("not \"%s\" but \"%s\"\n", wanted, error ? error : "nothing");
  weir_close(opened);
  weir_free(error);
  return said;
}

static void files(const char *component, const char *folder) {
  size_t room = 64 << 20, size;
  char *bytes = malloc(room);
  FILE *file = fopen(component, "rb");
  if (!file || !bytes || !(size = fread(bytes, 1, room, file))) {
    CHECK(!"the component can be read");
    return;
  }
  fclose(file);
  CHECK(is_refused(folder, "hello", 5, "not WebAssembly"));
  CHECK(is_refused(folder, "\0asm\1\0\0\0", 8, "a core module"));
  CHECK(is_refused(folder, "\0asm\x0d\0\1\0", 8, "exports no interface of weir:plugin"));
  CHECK(is_refused(folder, bytes, size / 2, "truncated or damaged"));
  char saved[1000];
  memcpy(saved, bytes + 5000, sizeof saved);
  memset(bytes + 5000, 0xff, sizeof saved);
  CHECK(is_refused(folder, bytes, size, "damaged"));
  memcpy(bytes + 5000, saved, sizeof saved);
  CHECK(is_refused(folder, bytes, size - 1, "truncated or damaged"));
  for (size_t at = 0; at + 6 < size; at++)
    if (!memcmp(bytes + at, "@0.3.0", 6)) bytes[at + 3] = '1';
  CHECK(is_refused(folder, bytes, size, "older contract weir:plugin@0.1.0"));
  for (size_t at = 0; at + 6 < size; at++)
    if (!memcmp(bytes + at, "@0.1.0", 6)) bytes[at + 1] = '1';
  CHECK(is_refused(folder, bytes, size, "newer contract weir:plugin@1.1.0"));
  free(bytes);
}

static void opening(const char *component, const char *folder, weir_options options) {
  char *error = NULL, path[500];
  CHECK(!weir_open("/nowhere/weir.wasm", folder, NULL, &error) && error && strstr(error, "cannot read"));
  weir_free(error);
  snprintf(path, sizeof path, "%s/open", folder);
  mkdir(path, 0700);
  chmod(path, 0777);
  CHECK(!weir_open(component, path, &options, &error) && error && strstr(error, "others"));
  weir_free(error);
  options.settings = "{\"transform\":{\"threshold_chars\":\"many\"}}";
  CHECK(!weir_open(component, folder, &options, &error) && error && *error);
  weir_free(error);
  options.settings = "{\"transform\":{\"threshold_chars\":500}}";
  weir *strict = weir_open(component, folder, &options, &error);
  char *log = lines(100), *shown = weir_show(strict, "alice", "t", log, WEIR_ALL);
  CHECK(strcmp(log, shown) != 0);
  char *problems = weir_configure(strict, "{}");
  CHECK(is(problems, "/problems", "[]"));
  char *whole = weir_show(strict, "alice", "t", log, WEIR_ALL);
  CHECK(!strcmp(log, whole));
  weir_close(strict);
  weir *search = weir_open(component, NULL, &options, &error);
  char *about = weir_about(search);
  CHECK(is(about, "/name", "weir"));
  weir_close(search);
  char *all[] = {log, shown, problems, whole, about};
  for (size_t n = 0; n < sizeof all / sizeof *all; n++) weir_free(all[n]);
}

static void *worker(void *given) {
  weir *weir = given;
  char *log = lines(3000);
  for (int n = 0; n < 5; n++) {
    log[0] = (char)('0' + n);
    char *answer = weir_transform(weir, "{\"session\":\"threads\",\"tool\":\"t\"}", log, WEIR_ALL);
    CHECK(is(answer, "/reason", "stored"));
    weir_free(answer);
  }
  free(log);
  return NULL;
}

/* What needs threads of wasmtime says so in a child, at once. */
static void forking(weir *used, const char *component, const char *folder, weir_options options) {
  pid_t child = fork();
  if (child == 0) {
    alarm(100);
    failures = 0;
    char *error = NULL, *log = lines(3000), *before = weir_status(used);
    char *message = weir_get(before, "/error/message");
    CHECK(message && strstr(message, "opened before this process was forked"));
    weir_close(used);
    weir *made = weir_open(component, folder, &options, &error);
    if (options.cache) {
      char *answer = weir_status(made), *why = weir_get(answer, "/error/message");
      CHECK(why && strstr(why, "a call was made before this process was forked"));
      char *shown = weir_show(made, "s", "t", log, WEIR_ALL);
      CHECK(shown && !strcmp(shown, log));
    } else {
      CHECK(!made && error && strstr(error, "the component was compiled before this process was forked"));
    }
    _exit(failures != 0);
  }
  int status = 1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int count, char **given) {
  if (count < 3) return 2;
  weir_options options = {.cache = count > 3 ? given[3] : NULL};
  char *error = NULL;
  weir *weir = weir_open(given[1], given[2], &options, &error);
  if (!weir) return printf("%s\n", error), 1;
  results(weir);
  pieces(weir);
  tools(weir);
  exports(weir);
  refused(weir);
  pthread_t threads[4];
  for (int n = 0; n < 4; n++) pthread_create(&threads[n], NULL, worker, weir);
  for (int n = 0; n < 4; n++) pthread_join(threads[n], NULL);
  char *swept = weir_sweep(weir), *checked = weir_check(weir, false), *status = weir_status(weir), *shown = weir_result_tools(weir);
  CHECK(!weir_get(swept, "/more") && is(swept, "/foreign", "0"));
  CHECK(is(checked, "/corrupt", "0") && !weir_get(checked, "/more"));
  CHECK(is(shown, "/tools/0/name", "weir_fetch"));
  weir_free(swept), weir_free(checked), weir_free(status), weir_free(shown);
  forking(weir, given[1], given[2], options);
  weir_close(weir);
  limits(given[1], given[2], options);
  opening(given[1], given[2], options);
  files(given[1], given[2]);
  printf(failures ? "%d failed\n" : "all is well\n", failures);
  return failures != 0;
}
