/*
 * Weir in C: large tool results kept out of a model's context, and search over many tools.
 *
 * A thin layer over wasmtime's C API. Texts go in and JSON comes out. ../../docs/embedding/c.md is the guide;
 * ../../wit/reference.md describes every function and ../../wit/json.schema.json every answer.
 *
 * Every function that answers `char *` gives JSON unless it says otherwise: release it with weir_free. What
 * failed is `{"error": {"code", "message", …}}`, with the contract's codes, or one of this library's own:
 *
 *   trapped     a limit was met (`reason` is `fuel`, `deadline`, `stack` or `memory`) or something broke (`fault`);
 *               nothing stored is harmed, and a result that was being transformed is still yours to show
 *   arguments   the arguments are not JSON, or not what the function takes
 *   function    the component has no such function
 *   memory      this process has no memory left
 *
 * Texts need not be valid UTF-8: each wrong byte is replaced by U+FFFD. Sizes are in bytes; WEIR_ALL is a text up
 * to its first zero byte.
 */
#ifndef WEIR_H
#define WEIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract this library is written for. */
#define WEIR_CONTRACT "0.3.0"
#define WEIR_ALL ((size_t)-1)

/* A store and the compiled component. For any number of threads, whose calls run side by side. */
typedef struct weir weir;
/* An instance that serves many calls, one after another. */
typedef struct weir_instance weir_instance;
/* A catalog of tools, in an instance of its own. */
typedef struct weir_catalog weir_catalog;
/* A large result that arrives in pieces, in an instance of its own. */
typedef struct weir_intake weir_intake;

/* What one call may use. */
typedef struct weir_limits {
  uint64_t fuel;   /* about one unit an instruction */
  double seconds;  /* on the clock */
  int64_t memory;  /* bytes of the component's memory */
} weir_limits;

/* What a call of `function` (`reading.grep`) on so many bytes may use; `usual` is the contract's own figure. */
typedef weir_limits (*weir_limits_of)(void *data, const char *function, size_t bytes, weir_limits usual);

/* Set what is not wanted to zero. */
typedef struct weir_options {
  /* A directory for compiled code, made with mode 0700; without it each start compiles for some seconds. Code is
   * loaded from it as it is, so nobody else may be able to write there. */
  const char *cache;
  /* Tables `transform`, `fetch` and `store`, as JSON; see ../../docs/settings.md. */
  const char *settings;
  weir_limits_of limits;
  void *limits_data;
} weir_options;

/* Opens the store in `directory`, which is made with mode 0700 if needed; NULL for tool search alone. `component` is
 * the file weir.wasm. On failure NULL, and `*error` (unless `error` is NULL) is a sentence: weir_free it. */
weir *weir_open(const char *component, const char *directory, const weir_options *options, char **error);
/* Closes it. All its instances, catalogs and intakes must be gone. */
void weir_close(weir *weir);
/* Releases what this library answered. NULL is fine. */
void weir_free(char *text);

/* --- results */

/* What to show a model in a text's place: an excerpt with a handle, or the text itself. Not JSON. When Weir fails,
 * the text comes back as it is. */
char *weir_show(weir *weir, const char *session, const char *tool, const char *text, size_t size);
/* The same, with the number of bytes of what it answers, for texts that may hold NUL. `shown_size` may be NULL. */
char *weir_show_sized(weir *weir, const char *session, const char *tool, const char *text, size_t size, size_t *shown_size);
/* The same for a result of MCP's `tools/call`, or any text. `call` is `{"session", "tool", "server"?, "arguments"?,
 * …}`. Show `result` of the answer. */
char *weir_transform(weir *weir, const char *call, const char *result, size_t size);
/* The tools over stored results, as MCP lists them: show them to the model beside its own. */
char *weir_result_tools(weir *weir);
/* What one of these tools answers, as a result of MCP's `tools/call`. Goes on over slices of work for ten seconds. */
char *weir_invoke(weir *weir, const char *session, const char *name, const char *arguments);
/* Keeps a stored result from expiry and eviction, or no longer. */
char *weir_pin(weir *weir, const char *session, const char *id, bool pinned);
/* Deletes a stored result. */
char *weir_forget(weir *weir, const char *session, const char *id);

/* Starts to take a large result piece by piece, in constant memory: from 8 MiB on. `call` is as for weir_transform.
 * On failure NULL, and `*error` (unless `error` is NULL) is the answer. */
weir_intake *weir_intake_open(weir *weir, const char *call, char **error);
/* Takes the next piece, which may end anywhere. Answers `{}`. */
char *weir_intake_write(weir_intake *intake, const char *chunk, size_t size);
/* Ends the intake, which is then gone. Answers as weir_transform. */
char *weir_intake_finish(weir_intake *intake, bool is_error);
/* Drops an intake that is not finished: it leaves nothing behind. */
void weir_intake_drop(weir_intake *intake);

/* --- tools */

/* Builds a catalog of `{"servers": [{"name", "tools"}]}`, or of one result of `tools/list`. On failure NULL.
 * `*answer` (unless `answer` is NULL) is `{"digest", "diagnostics", …}`, or the error. */
weir_catalog *weir_catalog_open(weir *weir, const char *snapshot, size_t size, char **answer);
/* What to show a model: `{"active", "tools", …}`. `settings` may be NULL. */
char *weir_catalog_assemble(weir_catalog *catalog, const char *settings);
/* Answers a call to a bridge tool: `{"result"}` to show, or `{"calls"}` to dispatch, with `conversation` to hand in
 * the next time. `conversation` may be NULL at first. */
char *weir_catalog_invoke(weir_catalog *catalog, const char *name, const char *arguments, const char *conversation);
/* The tools as a model API takes them, in the `tools` of a request to it: with the provider's own search (`anthropic-bm25`,
 * `anthropic-regex`, `openai-search`), or with the bridge tools (`anthropic`, `gemini`, `openai` for Responses, `openai-chat`
 * for Chat Completions and what is like it, `mcp`). `settings` are those of weir_catalog_assemble, with `mode` `on` unless
 * they say otherwise. Answers `{"tools", "block", "names", "arguments"}`: `names` has what the catalog calls each tool,
 * `arguments` what a tool calls its arguments where the model sees other names. */
char *weir_catalog_export(weir_catalog *catalog, const char *form, const char *settings);
/* A model's call to an exported tool, as weir_catalog_invoke takes it: `{"name", "arguments"}`, both texts. `exported` is the
 * answer of weir_catalog_export, of which `names` and `arguments` suffice. What was not exported stays as it is. */
char *weir_exported_call(const char *exported, const char *name, const char *arguments);
void weir_catalog_drop(weir_catalog *catalog);

/* --- looking after it */

/* What the component is: name, version, contract, features, limits. */
char *weir_about(weir *weir);
/* Uses these settings from now on. Answers `{"problems"}`. */
char *weir_configure(weir *weir, const char *settings);
/* The state of the store. */
char *weir_status(weir *weir);
/* Sweeps the whole store: at start and once an hour. */
char *weir_sweep(weir *weir);
/* Reads every stored byte and compares; with `repair`, puts right what can be. */
char *weir_check(weir *weir, bool repair);

/* --- every other function */

/* Calls any function of the contract, `INTERFACE.FUNCTION`, in a fresh instance. `arguments` is an object with names
 * in camel case, such as `{"session": "alice", "id": "…", "pattern": "error:"}` for `reading.grep`: fields of a
 * request stand beside the other arguments, and what is left out is unset, false, 0 or empty. Answers are in camel
 * case, too. For functions of `json`, a list of arguments in order. */
char *weir_call(weir *weir, const char *function, const char *arguments);
/* An instance for many calls. On failure NULL, and `*error` (unless `error` is NULL) is the answer. */
weir_instance *weir_instance_new(weir *weir, char **error);
char *weir_instance_call(weir_instance *instance, const char *function, const char *arguments);
void weir_instance_drop(weir_instance *instance);

/* What a JSON pointer, such as `/handles/0/id`, names in an answer: a text as it is, anything else as JSON. NULL when
 * it is not there. For hosts without a JSON library. */
char *weir_get(const char *json, const char *pointer);

#ifdef __cplusplus
}
#endif

#endif
