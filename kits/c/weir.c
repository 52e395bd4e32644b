/* Weir over wasmtime's C API. weir.h says what each function is for. */
#define _POSIX_C_SOURCE 200809L
#include "weir.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wasmtime.h>

typedef wasmtime_component_val_t value;
typedef wasmtime_component_valtype_t type;

enum {
  DEPTH = 256,              /* levels of JSON that are read; what lies deeper stays as it is */
  CHUNK = 16 << 10,         /* bytes that a pool takes at a time */
  TICK_MS = 50,             /* of the clock of deadlines */
  REQUEST_SECONDS = 10,     /* how long a request goes on over slices */
  SWEEP_ENTRIES = 4096,     /* of one step */
  CHECK_BYTES = 16 << 20,   /* of one step */
  PRINTED = 4096            /* bytes kept of what the component prints when it breaks */
};

/* --- texts that grow; `failed` once there was no memory */

typedef struct {
  char *data;
  size_t size, room;
  bool failed;
} text;

static void put(text *to, const char *from, size_t size) {
  if (to->failed) return;
  if (to->room - to->size <= size) {
    size_t room = to->room * 2 > to->size + size + 1 ? to->room * 2 : to->size + size + 64;
    char *grown = realloc(to->data, room);
    if (!grown) {
      to->failed = true;
      return;
    }
    to->data = grown;
    to->room = room;
  }
  memcpy(to->data + to->size, from, size);
  to->data[to->size += size] = 0;
}

static void puts_to(text *to, const char *from) { put(to, from, strlen(from)); }

static char *copied(const char *from, size_t size) {
  char *copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, from, size);
    copy[size] = 0;
  }
  return copy;
}

static void put_string(text *to, const char *from, size_t size) {
  put(to, "\"", 1);
  size_t start = 0;
  for (size_t at = 0; at < size; at++) {
    unsigned char c = (unsigned char)from[at];
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    put(to, from + start, at - start);
    start = at + 1;
    char escaped[8];
    if (c == '\n') puts_to(to, "\\n");
    else if (c == '"' || c == '\\') snprintf(escaped, sizeof escaped, "\\%c", c), puts_to(to, escaped);
    else snprintf(escaped, sizeof escaped, "\\u%04x", c), puts_to(to, escaped);
  }
  put(to, from + start, size - start);
  put(to, "\"", 1);
}

static const char NO_MEMORY[] = "{\"error\":{\"code\":\"memory\",\"message\":\"this process has no memory left\"}}";

static char *finished(text *made) {
  if (!made->failed && made->data) return made->data;
  free(made->data);
  return copied(NO_MEMORY, sizeof NO_MEMORY - 1);
}

static char *failure(const char *code, const char *reason, const char *message) {
  text made = {0};
  puts_to(&made, "{\"error\":{\"code\":\"");
  puts_to(&made, code);
  if (reason) puts_to(&made, "\",\"reason\":\""), puts_to(&made, reason);
  puts_to(&made, "\",\"message\":");
  put_string(&made, message, strlen(message));
  puts_to(&made, "}}");
  return finished(&made);
}

/* Bytes of the UTF-8 character at `from`; 0 when it is none, -1 when it is cut off. */
static int character(const unsigned char *from, size_t size) {
  unsigned char c = from[0];
  if (c < 0x80) return 1;
  int count = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
  for (int at = 1; at < count; at++) {
    if ((size_t)at >= size) return -1;
    unsigned char low = 0x80, high = 0xBF;
    if (at == 1) {
      if (c == 0xE0) low = 0xA0;
      if (c == 0xED) high = 0x9F;
      if (c == 0xF0) low = 0x90;
      if (c == 0xF4) high = 0x8F;
    }
    if (from[at] < low || from[at] > high) return 0;
  }
  return count;
}

/* Bytes up to the first that is not UTF-8. */
static size_t valid_to(const char *from, size_t size) {
  size_t at = 0;
  while (at < size) {
    int count = character((const unsigned char *)from + at, size - at);
    if (count <= 0) break;
    at += (size_t)count;
  }
  return at;
}

/* A text as wasmtime takes it, which ends the process on a text that is not UTF-8. What is cut off at the end is
 * left out, and counted in `*left`, when `left` is given. */
static bool string_value(value *out, const char *from, size_t size, size_t *left) {
  out->kind = WASMTIME_COMPONENT_STRING;
  size_t good = valid_to(from, size);
  if (left) *left = 0;
  if (good == size) {
    wasm_byte_vec_new(&out->of.string, size, from);
    return true;
  }
  text made = {0};
  for (size_t at = 0; at < size;) {
    size_t run = valid_to(from + at, size - at);
    put(&made, from + at, run);
    if ((at += run) == size) break;
    if (left && character((const unsigned char *)from + at, size - at) < 0) {
      *left = size - at;
      break;
    }
    put(&made, "\xEF\xBF\xBD", 3);
    at++;
  }
  put(&made, "", 0);
  if (!made.failed) wasm_byte_vec_new(&out->of.string, made.size, made.data);
  free(made.data);
  if (made.failed) out->kind = WASMTIME_COMPONENT_BOOL;
  return !made.failed;
}

/* --- JSON: values in a pool, which are released together; `failed` once there was no memory */

typedef enum { J_NULL, J_BOOL, J_NUMBER, J_STRING, J_LIST, J_OBJECT, J_UNREAD } kind;

typedef struct json {
  kind kind;
  bool truth, used, seen[2];
  const char *name, *string; /* `name`: of a member */
  size_t name_size, size;
  const char *start, *end; /* in the source */
  struct json *first, *last, *next;
  struct json **index; /* members by name, where there are many */
  size_t count, room;
} json;

typedef struct chunk {
  struct chunk *next;
  size_t used, room;
  _Alignas(16) char bytes[];
} chunk;

typedef struct {
  chunk *first;
  json nowhere; /* what is made when there is no memory */
  bool failed;
} pool;

/* Bytes that are zero, or NULL. */
static void *take(pool *from, size_t size) {
  size = (size + 15) & ~(size_t)15;
  chunk *at = from->first;
  if (!at || at->room - at->used < size) {
    size_t room = size > CHUNK ? size : CHUNK;
    at = calloc(1, sizeof *at + room);
    if (!at) {
      from->failed = true;
      return NULL;
    }
    at->room = room;
    at->next = from->first;
    from->first = at;
  }
  at->used += size;
  return at->bytes + at->used - size;
}

static void release(pool *from) {
  while (from->first) {
    chunk *next = from->first->next;
    free(from->first);
    from->first = next;
  }
}

static uint64_t fnv(const char *bytes, size_t size) {
  uint64_t made = 0xcbf29ce484222325u;
  for (size_t n = 0; n < size; n++) made = (made ^ (unsigned char)bytes[n]) * 0x100000001b3u;
  return made;
}

static bool is_named(const json *one, const char *name, size_t size) {
  return one->name_size == size && !memcmp(one->name, name, size);
}

/* Where the index has a member, or has room for it. */
static json **indexed(const json *of, const char *name, size_t size) {
  size_t at = fnv(name, size) & (of->room - 1);
  while (of->index[at] && !is_named(of->index[at], name, size)) at = (at + 1) & (of->room - 1);
  return &of->index[at];
}

static json *json_member(const json *of, const char *name, size_t size) {
  if (!of || of->kind != J_OBJECT) return NULL;
  if (of->index) return *indexed(of, name, size);
  for (json *one = of->first; one; one = one->next)
    if (is_named(one, name, size)) return one;
  return NULL;
}

/* A new value at the end of a list. */
static json *json_add(pool *in, json *to) {
  json *one = take(in, sizeof *one);
  if (!one) return &in->nowhere;
  if (to->last) to->last->next = one;
  else to->first = one;
  to->last = one;
  to->count++;
  return one;
}

/* The member of a name, which is made when it is not there. */
static json *json_entry(pool *in, json *to, const char *name, size_t size) {
  json *one = json_member(to, name, size);
  if (one) return one;
  if (to->count >= 16 && to->count * 2 >= to->room) {
    size_t room = to->room ? to->room * 2 : 64;
    json **index = take(in, room * sizeof *index);
    if (!index) return &in->nowhere;
    to->index = index;
    to->room = room;
    for (one = to->first; one; one = one->next) *indexed(to, one->name, one->name_size) = one;
  }
  one = json_add(in, to);
  if (one == &in->nowhere) return one;
  one->name = name;
  one->name_size = size;
  if (to->index) *indexed(to, name, size) = one;
  return one;
}

/* Gives `to` the value of `from`; it stays where it is. */
static void fill(json *to, const json *from) {
  json kept = *to;
  *to = *from;
  to->name = kept.name;
  to->name_size = kept.name_size;
  to->next = kept.next;
}

static const char *blank(const char *at) {
  while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') at++;
  return at;
}

static int hex4(const char *at) {
  int made = 0;
  for (int n = 0; n < 4; n++) {
    char c = at[n];
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return -1;
    made = made * 16 + digit;
  }
  return made;
}

/* The closing quote of a string from its first quote, or the end of the source. */
static const char *closing(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return at;
}

/* Reads a string from its first quote; where it ends, or NULL. */
static const char *json_string(pool *in, const char *at, const char **out, size_t *size) {
  char *made = take(in, (size_t)(closing(at) - at)), *to = made; /* a character is at most as long as its escape */
  if (!made) return NULL;
  for (at++; *at != '"';) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at != '\\') {
      *to++ = *at++;
      continue;
    }
    at++;
    static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    const char *found = *at ? strchr(from, *at) : NULL;
    if (found) {
      *to++ = plain[found - from];
      at++;
      continue;
    }
    int code = *at == 'u' ? hex4(at + 1) : -1;
    if (code < 0) return NULL;
    at += 5;
    if (code >= 0xD800 && code < 0xE000) {
      int low = code < 0xDC00 && at[0] == '\\' && at[1] == 'u' ? hex4(at + 2) : -1;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        at += 6;
      } else {
        code = 0xFFFD;
      }
    }
    if (code < 0x80) *to++ = (char)code;
    else {
      if (code < 0x800) *to++ = (char)(0xC0 | code >> 6);
      else {
        if (code < 0x10000) *to++ = (char)(0xE0 | code >> 12);
        else {
          *to++ = (char)(0xF0 | code >> 18);
          *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
      }
      *to++ = (char)(0x80 | (code & 0x3F));
    }
  }
  *out = made;
  *size = (size_t)(to - made);
  return at + 1;
}

static const char *json_number(const char *at) {
  if (*at == '-') at++;
  if (*at < '0' || *at > '9') return NULL;
  while ((*at >= '0' && *at <= '9') || (*at && strchr(".eE+-", *at))) at++;
  return at;
}

/* Where an object or a list ends, or NULL. */
static const char *json_unread(const char *at) {
  size_t open = 0;
  do {
    if (*at == '"') at = closing(at);
    if (!*at) return NULL;
    if (*at == '{' || *at == '[') open++;
    if (*at == '}' || *at == ']') open--;
    at++;
  } while (open);
  return at;
}

static const char *json_value(pool *in, const char *at, json *out, int depth);

/* Of members with one name the last counts. */
static const char *json_members(pool *in, const char *at, json *out, int depth) {
  char close = out->kind == J_OBJECT ? '}' : ']';
  at = blank(at + 1);
  while (*at != close) {
    const char *name = NULL;
    size_t size = 0;
    json one = {0};
    if (close == '}') {
      at = *at == '"' ? json_string(in, at, &name, &size) : NULL;
      if (!at || *(at = blank(at)) != ':') return NULL;
      at = blank(at + 1);
    }
    at = json_value(in, at, &one, depth - 1);
    if (!at) return NULL;
    fill(close == '}' ? json_entry(in, out, name, size) : json_add(in, out), &one);
    at = blank(at);
    if (*at == ',') {
      at = blank(at + 1);
      if (*at == close) return NULL;
    } else if (*at != close) {
      return NULL;
    }
  }
  return at + 1;
}

/* Reads a value of at most so many levels, below which objects and lists stay unread; where it ends, or NULL. */
static const char *json_value(pool *in, const char *at, json *out, int depth) {
  out->start = at;
  if (*at == '{' || *at == '[') {
    out->kind = depth == 0 ? J_UNREAD : *at == '{' ? J_OBJECT : J_LIST;
    at = depth == 0 ? json_unread(at) : json_members(in, at, out, depth);
  } else if (*at == '"') {
    out->kind = J_STRING;
    at = json_string(in, at, &out->string, &out->size);
  } else if (!strncmp(at, "true", 4) || !strncmp(at, "false", 5)) {
    out->kind = J_BOOL;
    out->truth = *at == 't';
    at += out->truth ? 4 : 5;
  } else if (!strncmp(at, "null", 4)) {
    out->kind = J_NULL;
    at += 4;
  } else {
    out->kind = J_NUMBER;
    at = json_number(at);
  }
  out->end = at;
  return at;
}

/* The value that a text is, or NULL. */
static json *json_read(pool *in, const char *source, int depth) {
  json *made = take(in, sizeof *made);
  const char *end = made ? json_value(in, blank(source), made, depth) : NULL;
  return end && *blank(end) == 0 && !in->failed ? made : NULL;
}

static char *json_taken(const json *one) {
  if (one->kind == J_STRING) return copied(one->string, one->size);
  return copied(one->start, (size_t)(one->end - one->start));
}

char *weir_get(const char *source, const char *pointer) {
  pool in = {0};
  json *one = source ? json_read(&in, source, DEPTH) : NULL;
  while (one && *pointer == '/') {
    size_t size = strcspn(++pointer, "/");
    if (one->kind == J_LIST) {
      char *end;
      unsigned long n = strtoul(pointer, &end, 10);
      one = end == pointer + size && size ? one->first : NULL;
      while (one && n--) one = one->next;
    } else {
      one = json_member(one, pointer, size);
    }
    pointer += size;
  }
  char *found = one && *pointer == 0 ? json_taken(one) : NULL;
  release(&in);
  return found;
}

/* --- JSON to the component's values and back, as the types of its functions say */

/* A name in camel case. */
static void camel(char *out, size_t room, const char *name, size_t size) {
  size_t at = 0;
  for (size_t n = 0; n < size && at + 1 < room; n++) {
    if (name[n] == '-' && n + 1 < size) {
      char c = name[++n];
      out[at++] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    } else {
      out[at++] = name[n];
    }
  }
  out[at] = 0;
}

typedef struct {
  char message[200];
} problem;

static bool wrong(problem *what, const char *format, const char *detail) {
  if (!what->message[0]) snprintf(what->message, sizeof what->message, format, detail);
  return false;
}

static bool lower(const type *as, json *given, json *flat, const char *name, value *out, problem *what);

static bool lower_number(uint8_t as, json *given, const char *name, value *out, problem *what) {
  const char *digits = given ? given->start : "0";
  if (given && given->kind != J_NUMBER) return wrong(what, "%s is not a number", name);
  errno = 0;
  char *end;
  if (as == WASMTIME_COMPONENT_VALTYPE_F32 || as == WASMTIME_COMPONENT_VALTYPE_F64) {
    double number = strtod(digits, &end);
    out->kind = as == WASMTIME_COMPONENT_VALTYPE_F32 ? WASMTIME_COMPONENT_F32 : WASMTIME_COMPONENT_F64;
    if (as == WASMTIME_COMPONENT_VALTYPE_F32) out->of.f32 = (float)number;
    else out->of.f64 = number;
    return true;
  }
  if (as == WASMTIME_COMPONENT_VALTYPE_S64) {
    out->kind = WASMTIME_COMPONENT_S64;
    out->of.s64 = strtoll(digits, &end, 10);
  } else {
    unsigned long long number = *digits == '-' ? (errno = ERANGE, 0) : strtoull(digits, &end, 10);
    if (as == WASMTIME_COMPONENT_VALTYPE_U64) {
      out->kind = WASMTIME_COMPONENT_U64;
      out->of.u64 = number;
    } else if (as == WASMTIME_COMPONENT_VALTYPE_U32) {
      out->kind = WASMTIME_COMPONENT_U32;
      out->of.u32 = (uint32_t)number;
      if (number > UINT32_MAX) errno = ERANGE;
    } else {
      out->kind = WASMTIME_COMPONENT_U8;
      out->of.u8 = (uint8_t)number;
      if (number > UINT8_MAX) errno = ERANGE;
    }
  }
  if (errno || (given && end != given->end)) return wrong(what, "%s is out of range, or not whole", name);
  return true;
}

static bool lower_list(const type *as, json *given, const char *name, value *out, problem *what) {
  if (given && given->kind != J_LIST) return wrong(what, "%s is not a list", name);
  size_t count = 0;
  for (json *one = given ? given->first : NULL; one; one = one->next) count++;
  type element;
  wasmtime_component_list_type_element(as->of.list, &element);
  wasmtime_component_vallist_new_uninit(&out->of.list, count);
  for (size_t n = 0; n < count; n++) out->of.list.data[n].kind = WASMTIME_COMPONENT_BOOL;
  out->kind = WASMTIME_COMPONENT_LIST;
  bool good = true;
  json *one = given ? given->first : NULL;
  for (size_t n = 0; good && n < count; n++, one = one->next)
    good = lower(&element, one, NULL, name, &out->of.list.data[n], what);
  wasmtime_component_valtype_delete(&element);
  return good;
}

static bool lower_record(const type *as, json *given, const char *name, value *out, problem *what) {
  if (given && given->kind != J_OBJECT) return wrong(what, "%s is not an object", name);
  size_t count = wasmtime_component_record_type_field_count(as->of.record);
  wasmtime_component_valrecord_new_uninit(&out->of.record, count);
  for (size_t n = 0; n < count; n++) {
    wasm_byte_vec_new_empty(&out->of.record.data[n].name);
    out->of.record.data[n].val.kind = WASMTIME_COMPONENT_BOOL;
  }
  out->kind = WASMTIME_COMPONENT_RECORD;
  for (size_t n = 0; n < count; n++) {
    const char *field;
    size_t size;
    type inner;
    char named[64];
    wasmtime_component_record_type_field_nth(as->of.record, n, &field, &size, &inner);
    wasm_byte_vec_new(&out->of.record.data[n].name, size, field);
    camel(named, sizeof named, field, size);
    json *member = json_member(given, named, strlen(named));
    if (member) member->used = true;
    bool good = lower(&inner, member, given, named, &out->of.record.data[n].val, what);
    wasmtime_component_valtype_delete(&inner);
    if (!good) return false;
  }
  return true;
}

/* Whether an object has no other members than a record has fields. */
static bool fits(const json *given, const wasmtime_component_record_type_t *record) {
  size_t count = wasmtime_component_record_type_field_count(record);
  for (json *one = given->first; one; one = one->next) {
    bool found = false;
    for (size_t n = 0; n < count && !found; n++) {
      const char *field;
      size_t size;
      type inner;
      char named[64];
      wasmtime_component_record_type_field_nth(record, n, &field, &size, &inner);
      wasmtime_component_valtype_delete(&inner);
      camel(named, sizeof named, field, size);
      found = strlen(named) == one->name_size && !memcmp(named, one->name, one->name_size);
    }
    if (!found) return false;
  }
  return true;
}

/* A text is the first case that is a text, an object the first record that has all its members. */
static bool lower_variant(const type *as, json *given, const char *name, value *out, problem *what) {
  size_t count = wasmtime_component_variant_type_case_count(as->of.variant);
  for (size_t n = 0; given && n < count; n++) {
    const char *one;
    size_t size;
    bool has;
    type inner;
    wasmtime_component_variant_type_case_nth(as->of.variant, n, &one, &size, &has, &inner);
    if (!has) continue;
    bool is = (given->kind == J_STRING && inner.kind == WASMTIME_COMPONENT_VALTYPE_STRING) ||
              (given->kind == J_OBJECT && inner.kind == WASMTIME_COMPONENT_VALTYPE_RECORD && fits(given, inner.of.record));
    value payload = {.kind = WASMTIME_COMPONENT_BOOL};
    bool good = is && lower(&inner, given, NULL, name, &payload, what);
    wasmtime_component_valtype_delete(&inner);
    if (!is) continue;
    if (!good) {
      wasmtime_component_val_delete(&payload);
      return false;
    }
    wasm_byte_vec_new(&out->of.variant.discriminant, size, one);
    out->of.variant.val = wasmtime_component_val_new(&payload);
    out->kind = WASMTIME_COMPONENT_VARIANT;
    return true;
  }
  return wrong(what, "%s is none of the shapes that it may have", name);
}

static bool lower_enum(const type *as, json *given, const char *name, value *out, problem *what) {
  size_t count = wasmtime_component_enum_type_names_count(as->of.enum_);
  if (given && given->kind != J_STRING) return wrong(what, "%s is not a word", name);
  for (size_t n = 0; n < count; n++) {
    const char *one;
    size_t size;
    wasmtime_component_enum_type_names_nth(as->of.enum_, n, &one, &size);
    if (given && (given->size != size || memcmp(given->string, one, size))) continue;
    out->kind = WASMTIME_COMPONENT_ENUM;
    wasm_byte_vec_new(&out->of.enumeration, size, one);
    return true;
  }
  return wrong(what, "%s is none of the words that it may be", name);
}

/* `given` is NULL for what is left out; `flat` has what may stand there in a record's place. `out` is always a value
 * that can be deleted. */
static bool lower(const type *as, json *given, json *flat, const char *name, value *out, problem *what) {
  out->kind = WASMTIME_COMPONENT_BOOL;
  if (given && given->kind == J_NULL) given = NULL;
  switch (as->kind) {
  case WASMTIME_COMPONENT_VALTYPE_BOOL:
    if (given && given->kind != J_BOOL) return wrong(what, "%s is not true or false", name);
    out->of.boolean = given && given->truth;
    return true;
  case WASMTIME_COMPONENT_VALTYPE_U8:
  case WASMTIME_COMPONENT_VALTYPE_U32:
  case WASMTIME_COMPONENT_VALTYPE_U64:
  case WASMTIME_COMPONENT_VALTYPE_S64:
  case WASMTIME_COMPONENT_VALTYPE_F32:
  case WASMTIME_COMPONENT_VALTYPE_F64:
    return lower_number(as->kind, given, name, out, what);
  case WASMTIME_COMPONENT_VALTYPE_STRING: {
    const char *from = !given ? "" : given->kind == J_STRING ? given->string : given->start;
    size_t size = !given ? 0 : given->kind == J_STRING ? given->size : (size_t)(given->end - given->start);
    return string_value(out, from, size, NULL) || wrong(what, "%s: no memory left", name);
  }
  case WASMTIME_COMPONENT_VALTYPE_LIST:
    return lower_list(as, given, name, out, what);
  case WASMTIME_COMPONENT_VALTYPE_RECORD:
    return lower_record(as, given ? given : flat, name, out, what);
  case WASMTIME_COMPONENT_VALTYPE_VARIANT:
    return lower_variant(as, given, name, out, what);
  case WASMTIME_COMPONENT_VALTYPE_ENUM:
    return lower_enum(as, given, name, out, what);
  case WASMTIME_COMPONENT_VALTYPE_OPTION: {
    out->kind = WASMTIME_COMPONENT_OPTION;
    out->of.option = NULL;
    if (!given) return true;
    type inner;
    value payload;
    wasmtime_component_option_type_ty(as->of.option, &inner);
    bool good = lower(&inner, given, NULL, name, &payload, what);
    wasmtime_component_valtype_delete(&inner);
    if (good) out->of.option = wasmtime_component_val_new(&payload);
    else wasmtime_component_val_delete(&payload);
    return good;
  }
  default:
    return wrong(what, "%s has a type that JSON cannot give", name);
  }
}

static void lift(text *to, const value *from);

static void put_number(text *to, const char *format, ...) {
  char number[64];
  va_list given;
  va_start(given, format);
  vsnprintf(number, sizeof number, format, given);
  va_end(given);
  puts_to(to, number);
}

static bool is_unset(const value *one) { return one->kind == WASMTIME_COMPONENT_OPTION && !one->of.option; }

static void lift_record(text *to, const wasmtime_component_valrecord_t *record) {
  const char *between = "{";
  for (size_t n = 0; n < record->size; n++) {
    const wasmtime_component_valrecord_entry_t *field = &record->data[n];
    if (is_unset(&field->val)) continue;
    char named[64];
    camel(named, sizeof named, field->name.data, field->name.size);
    puts_to(to, between);
    put_string(to, named, strlen(named));
    puts_to(to, ":");
    lift(to, &field->val);
    between = ",";
  }
  puts_to(to, *between == '{' ? "{}" : "}");
}

static void lift(text *to, const value *from) {
  switch (from->kind) {
  case WASMTIME_COMPONENT_BOOL: puts_to(to, from->of.boolean ? "true" : "false"); break;
  case WASMTIME_COMPONENT_U8: put_number(to, "%u", (unsigned)from->of.u8); break;
  case WASMTIME_COMPONENT_U32: put_number(to, "%" PRIu32, from->of.u32); break;
  case WASMTIME_COMPONENT_U64: put_number(to, "%" PRIu64, from->of.u64); break;
  case WASMTIME_COMPONENT_S64: put_number(to, "%" PRId64, from->of.s64); break;
  case WASMTIME_COMPONENT_F32: put_number(to, "%.9g", (double)from->of.f32); break;
  case WASMTIME_COMPONENT_F64: put_number(to, "%.17g", from->of.f64); break;
  case WASMTIME_COMPONENT_STRING: put_string(to, from->of.string.data, from->of.string.size); break;
  case WASMTIME_COMPONENT_ENUM: put_string(to, from->of.enumeration.data, from->of.enumeration.size); break;
  case WASMTIME_COMPONENT_RECORD: lift_record(to, &from->of.record); break;
  case WASMTIME_COMPONENT_LIST:
    puts_to(to, "[");
    for (size_t n = 0; n < from->of.list.size; n++) {
      if (n) puts_to(to, ",");
      lift(to, &from->of.list.data[n]);
    }
    puts_to(to, "]");
    break;
  case WASMTIME_COMPONENT_OPTION:
    if (from->of.option) lift(to, from->of.option);
    else puts_to(to, "null");
    break;
  case WASMTIME_COMPONENT_VARIANT:
    if (from->of.variant.val) lift(to, from->of.variant.val);
    else put_string(to, from->of.variant.discriminant.data, from->of.variant.discriminant.size);
    break;
  case WASMTIME_COMPONENT_RESULT:
    if (!from->of.result.is_ok) puts_to(to, "{\"error\":");
    if (from->of.result.val) lift(to, from->of.result.val);
    else puts_to(to, "{}");
    if (!from->of.result.is_ok) puts_to(to, "}");
    break;
  default: puts_to(to, "null");
  }
}

/* --- limits by class of call: the contract's table */

typedef struct {
  uint64_t fuel, fuel_per_byte;
  double seconds, seconds_per_mib;
  int64_t mib;
  const char *functions; /* each between blanks; the last row is for all others */
} class;

static const class CLASSES[] = {
    {20000000000u, 800, 30, 0.2, 512,
     " json.transform json.open-intake json.write-intake json.finish-intake json.drop-intake "
     "result-transform.transform result-transform.transform-turn settings.estimate-tokens "},
    {12000000000u, 0, 20, 0, 64,
     " json.invoke model-tools.invoke reading.grep reading.query reading.outline reading.search reading.diff "},
    {4000000000u, 0, 10, 0, 64,
     " reading.stat reading.read reading.read-end reading.read-all reading.list-blobs json.pin json.forget "
     "maintenance.pin maintenance.forget "},
    {40000000000u, 4000, 60, 1, 512, " json.open-catalog "},
    {4000000000u, 1000, 10, 0.1, 512, " json.assemble json.invoke-bridge json.drop-catalog "},
    {40000000000u, 0, 60, 0, 512, " json.status json.sweep json.check "},
    {1000000000u, 0, 5, 0, 64, NULL},
};

static const weir_limits WIDEST = {20000000000u, 30, (int64_t)512 << 20};

/* --- forks: wasmtime's threads for files and for compiling do not come along, and a child would wait for them for
   ever, without a deadline. So a process notes what it started, and its children what they lost. */

static atomic_bool used_files, compiled, lost_files, lost_compiling;
static atomic_uint forks;

static void forked(void) {
  forks++;
  if (used_files) lost_files = true;
  if (compiled) lost_compiling = true;
}

static void watch(void) { pthread_atfork(NULL, NULL, forked); }

#define FORK_FIRST ": fork before the first call, or start processes without fork"

struct weir {
  unsigned forks; /* when it was opened */
  wasm_engine_t *engine;
  wasmtime_component_t *component;
  wasmtime_component_linker_t *linker;
  char *directory, *settings;
  weir_limits_of limits;
  void *limits_data;
  pthread_mutex_t lock; /* of what follows and of `settings` */
  pthread_cond_t wake;
  pthread_t clock;
  size_t running;
  bool ticking, closing;
};

static weir_limits limits_of(weir *weir, const char *function, size_t bytes) {
  char word[80];
  snprintf(word, sizeof word, " %s ", function);
  const class *of = CLASSES;
  while (of->functions && !strstr(of->functions, word)) of++;
  weir_limits usual = {of->fuel + of->fuel_per_byte * bytes,
                       of->seconds + of->seconds_per_mib * (double)bytes / (1 << 20), of->mib << 20};
  return weir->limits ? weir->limits(weir->limits_data, function, bytes, usual) : usual;
}

/* --- the clock of deadlines, which sleeps while no call runs */

static void *tick(void *given) {
  weir *weir = given;
  pthread_mutex_lock(&weir->lock);
  while (!weir->closing) {
    if (weir->running == 0) {
      pthread_cond_wait(&weir->wake, &weir->lock);
      continue;
    }
    pthread_mutex_unlock(&weir->lock);
    nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
    wasmtime_engine_increment_epoch(weir->engine);
    pthread_mutex_lock(&weir->lock);
  }
  pthread_mutex_unlock(&weir->lock);
  return NULL;
}

static void begin(weir *weir) {
  pthread_mutex_lock(&weir->lock);
  if (!weir->ticking) weir->ticking = pthread_create(&weir->clock, NULL, tick, weir) == 0;
  if (weir->running++ == 0) pthread_cond_signal(&weir->wake);
  pthread_mutex_unlock(&weir->lock);
}

static void end(weir *weir) {
  pthread_mutex_lock(&weir->lock);
  weir->running--;
  pthread_mutex_unlock(&weir->lock);
}

/* Why nothing can be called here after a fork, or NULL. */
static char *lost(weir *weir) {
  if (weir->forks != forks)
    return failure("trapped", "fault", "this weir was opened before this process was forked: open another");
  if (lost_files)
    return failure("trapped", "fault",
                   "a call was made before this process was forked, and wasmtime's threads did not come along" FORK_FIRST);
  used_files = true;
  return NULL;
}

/* --- instances */

struct weir_instance {
  weir *weir;
  wasmtime_store_t *store;
  wasmtime_context_t *context;
  wasmtime_component_instance_t instance;
  pthread_mutex_t lock;
  bool dead;
  char printed[PRINTED];
  size_t printed_size;
};

static ptrdiff_t print(void *given, const unsigned char *bytes, size_t size) {
  weir_instance *instance = given;
  size_t room = PRINTED - 1 - instance->printed_size;
  size_t kept = size < room ? size : room;
  memcpy(instance->printed + instance->printed_size, bytes, kept);
  instance->printed_size += kept;
  return (ptrdiff_t)size;
}

static char *told(wasmtime_error_t *error) {
  wasm_name_t message;
  wasmtime_error_message(error, &message);
  char *copy = copied(message.data, message.size);
  wasm_name_delete(&message);
  wasmtime_error_delete(error);
  return copy;
}

static char *trapped(weir_instance *instance, wasmtime_error_t *error) {
  instance->dead = true;
  char *message = told(error);
  instance->printed[valid_to(instance->printed, instance->printed_size)] = 0;
  /* Without memory it stops and says that alone, or nothing; a panic says what it was. */
  bool is_full = !instance->printed[0] || strstr(instance->printed, "memory allocation of ") == instance->printed;
  /* The component's own stack lies before all else in its memory. */
  const char *reason = !message                               ? "fault"
                       : strstr(message, "all fuel consumed")    ? "fuel"
                       : strstr(message, "interrupt")            ? "deadline"
                       : strstr(message, "stack exhausted")      ? "stack"
                       : strstr(message, "out of bounds memory") ? "stack"
                       : strstr(message, "unreachable") && is_full       ? "memory"
                                                                         : "fault";
  char *answer = failure("trapped", reason, instance->printed[0] ? instance->printed : message ? message : reason);
  free(message);
  return answer;
}

static void arm(weir_instance *instance, weir_limits limits) {
  wasmtime_error_t *error = wasmtime_context_set_fuel(instance->context, limits.fuel);
  if (error) wasmtime_error_delete(error);
  wasmtime_context_set_epoch_deadline(instance->context, (uint64_t)(limits.seconds * 1000 / TICK_MS) + 2);
}

static void instance_delete(weir_instance *instance) {
  if (!instance) return;
  wasmtime_store_delete(instance->store);
  pthread_mutex_destroy(&instance->lock);
  free(instance);
}

static char *instance_call(weir_instance *instance, const char *function, value *arguments, size_t count, size_t bytes,
                           value *answer);

/* On failure NULL, and `*error` is the answer. */
static weir_instance *instance_new(weir *weir, const char *directory, weir_limits limits, char **error) {
  if ((*error = lost(weir))) return NULL;
  weir_instance *instance = calloc(1, sizeof *instance);
  if (!instance) {
    *error = copied(NO_MEMORY, sizeof NO_MEMORY - 1);
    return NULL;
  }
  instance->weir = weir;
  pthread_mutex_init(&instance->lock, NULL);
  instance->store = wasmtime_store_new(weir->engine, NULL, NULL);
  instance->context = wasmtime_store_context(instance->store);
  wasmtime_store_limiter(instance->store, limits.memory, -1, -1, -1, -1);
  wasi_config_t *wasi = wasi_config_new();
  wasi_config_set_stderr_custom(wasi, print, instance, NULL);
  bool granted = !directory || wasi_config_preopen_dir(wasi, directory, "/store", true);
  wasmtime_error_t *failed = wasmtime_context_set_wasi(instance->context, wasi);
  if (!granted || failed) {
    if (failed) wasmtime_error_delete(failed);
    *error = failure("store", NULL, "the directory of the store cannot be opened");
    instance_delete(instance);
    return NULL;
  }
  arm(instance, limits);
  begin(weir);
  failed = wasmtime_component_linker_instantiate(weir->linker, instance->context, weir->component, &instance->instance);
  end(weir);
  if (failed) {
    *error = trapped(instance, failed);
    instance_delete(instance);
    return NULL;
  }
  pthread_mutex_lock(&weir->lock);
  value settings = {.kind = WASMTIME_COMPONENT_BOOL};
  bool has = weir->settings && string_value(&settings, weir->settings, strlen(weir->settings), NULL);
  pthread_mutex_unlock(&weir->lock);
  if (has) {
    value problems = {.kind = WASMTIME_COMPONENT_BOOL};
    *error = instance_call(instance, "json.configure", &settings, 1, settings.of.string.size, &problems);
    wasmtime_component_val_delete(&settings);
    wasmtime_component_val_delete(&problems);
    if (*error) {
      instance_delete(instance);
      return NULL;
    }
  }
  return instance;
}

/* Where `INTERFACE.FUNCTION` is. */
static bool find(weir_instance *instance, const char *function, wasmtime_component_func_t *out) {
  const char *dot = strchr(function, '.');
  char interface[80];
  if (!dot || dot - function > 40) return false;
  snprintf(interface, sizeof interface, "weir:plugin/%.*s@" WEIR_CONTRACT, (int)(dot - function), function);
  wasmtime_component_t *component = instance->weir->component;
  wasmtime_component_export_index_t *outer =
      wasmtime_component_get_export_index(component, NULL, interface, strlen(interface));
  if (!outer) return false;
  wasmtime_component_export_index_t *inner =
      wasmtime_component_get_export_index(component, outer, dot + 1, strlen(dot + 1));
  bool found = inner && wasmtime_component_instance_get_func(&instance->instance, instance->context, inner, out);
  if (inner) wasmtime_component_export_index_delete(inner);
  wasmtime_component_export_index_delete(outer);
  return found;
}

/* Calls a function found before; NULL, or the answer that says what is wrong. */
static char *call_found(weir_instance *instance, const wasmtime_component_func_t *found, const char *function,
                        const value *arguments, size_t count, size_t bytes, value *answer, size_t answers) {
  char *gone = lost(instance->weir);
  if (gone) return gone;
  arm(instance, limits_of(instance->weir, function, bytes));
  begin(instance->weir);
  wasmtime_error_t *error =
      wasmtime_component_func_call(found, instance->context, arguments, count, answer, answers);
  end(instance->weir);
  return error ? trapped(instance, error) : NULL;
}

static char *dead(void) { return failure("trapped", "fault", "this instance is dead after an earlier trap: open another"); }

static char *instance_call(weir_instance *instance, const char *function, value *arguments, size_t count, size_t bytes,
                           value *answer) {
  wasmtime_component_func_t found;
  if (instance->dead) return dead();
  if (!find(instance, function, &found)) return failure("function", NULL, function);
  return call_found(instance, &found, function, arguments, count, bytes, answer, 1);
}

/* The answer of a function of `json`, which is JSON as it is. Takes the arguments. */
static char *strings_call(weir_instance *instance, const char *function, value *arguments, size_t count) {
  value answer = {.kind = WASMTIME_COMPONENT_BOOL};
  size_t bytes = 0;
  for (size_t n = 0; n < count; n++)
    if (arguments[n].kind == WASMTIME_COMPONENT_STRING) bytes += arguments[n].of.string.size;
  pthread_mutex_lock(&instance->lock);
  char *made = instance_call(instance, function, arguments, count, bytes, &answer);
  pthread_mutex_unlock(&instance->lock);
  if (!made && answer.kind == WASMTIME_COMPONENT_STRING) made = copied(answer.of.string.data, answer.of.string.size);
  wasmtime_component_val_delete(&answer);
  for (size_t n = 0; n < count; n++) wasmtime_component_val_delete(&arguments[n]);
  return made ? made : copied(NO_MEMORY, sizeof NO_MEMORY - 1);
}

static value string_of(const char *from, size_t size) {
  value made = {.kind = WASMTIME_COMPONENT_BOOL};
  if (!from) from = "", size = 0;
  if (!string_value(&made, from, size == WEIR_ALL ? strlen(from) : size, NULL)) string_value(&made, "", 0, NULL);
  return made;
}

static value number_of(uint32_t number) { return (value){.kind = WASMTIME_COMPONENT_U32, .of.u32 = number}; }
static value flag_of(bool flag) { return (value){.kind = WASMTIME_COMPONENT_BOOL, .of.boolean = flag}; }

/* A function of `json` in a fresh instance. */
static char *strings_once(weir *weir, const char *function, value *arguments, size_t count) {
  char *error;
  size_t bytes = 0;
  for (size_t n = 0; n < count; n++)
    if (arguments[n].kind == WASMTIME_COMPONENT_STRING) bytes += arguments[n].of.string.size;
  weir_instance *instance = instance_new(weir, weir->directory, limits_of(weir, function, bytes), &error);
  if (!instance) {
    for (size_t n = 0; n < count; n++) wasmtime_component_val_delete(&arguments[n]);
    return error;
  }
  char *answer = strings_call(instance, function, arguments, count);
  instance_delete(instance);
  return answer;
}

/* --- calls with JSON as arguments */

static const char *unknown(json *given) {
  for (json *one = given->kind == J_OBJECT ? given->first : NULL; one; one = one->next)
    if (!one->used) return one->name;
  return NULL;
}

/* Lowers the arguments of a function; NULL, or the answer that says what is wrong. */
static char *lower_all(const wasmtime_component_func_type_t *of, json *given, value *arguments, size_t count) {
  problem what = {{0}};
  json *next = given->kind == J_LIST ? given->first : NULL;
  for (size_t n = 0; n < count; n++) {
    const char *name;
    size_t size;
    type as;
    char named[64];
    wasmtime_component_func_type_param_nth(of, n, &name, &size, &as);
    camel(named, sizeof named, name, size);
    json *one = given->kind == J_LIST ? next : json_member(given, named, strlen(named));
    if (given->kind == J_LIST && !one) wrong(&what, "%s is missing", named);
    if (one) one->used = true;
    if (given->kind == J_LIST && next) next = next->next;
    bool good = lower(&as, one, given->kind == J_OBJECT ? given : NULL, named, &arguments[n], &what);
    wasmtime_component_valtype_delete(&as);
    if (!good || what.message[0]) return failure("arguments", NULL, what.message);
  }
  const char *extra = next ? "one too many" : unknown(given);
  if (!extra) return NULL;
  wrong(&what, "there is no argument %s", extra);
  return failure("arguments", NULL, what.message);
}

enum { ARGUMENTS = 8 };

static char *call_json(weir_instance *instance, const char *function, const char *source) {
  wasmtime_component_func_t found;
  if (instance->dead) return dead();
  if (!find(instance, function, &found)) return failure("function", NULL, function);
  pool in = {0};
  json *given = json_read(&in, source && *source ? source : "{}", DEPTH);
  if (!given || (given->kind != J_OBJECT && given->kind != J_LIST)) {
    release(&in);
    return failure("arguments", NULL, "the arguments are neither a JSON object nor a list");
  }
  wasmtime_component_func_type_t *of = wasmtime_component_func_type(&found, instance->context);
  size_t count = wasmtime_component_func_type_param_count(of);
  type result = {.kind = WASMTIME_COMPONENT_VALTYPE_BOOL};
  bool answers = wasmtime_component_func_type_result(of, &result);
  value arguments[ARGUMENTS], answer = {.kind = WASMTIME_COMPONENT_BOOL};
  for (size_t n = 0; n < ARGUMENTS; n++) arguments[n].kind = WASMTIME_COMPONENT_BOOL;
  char *made = count > ARGUMENTS ? failure("function", NULL, function) : lower_all(of, given, arguments, count);
  if (!made) made = call_found(instance, &found, function, arguments, count, strlen(source ? source : ""), &answer, answers);
  if (!made && !strncmp(function, "json.", 5) && answer.kind == WASMTIME_COMPONENT_STRING) {
    made = copied(answer.of.string.data, answer.of.string.size);
  } else if (!made) {
    text out = {0};
    if (answers) lift(&out, &answer);
    else puts_to(&out, "{}");
    made = finished(&out);
  }
  wasmtime_component_val_delete(&answer);
  for (size_t n = 0; n < count && n < ARGUMENTS; n++) wasmtime_component_val_delete(&arguments[n]);
  if (answers) wasmtime_component_valtype_delete(&result);
  wasmtime_component_func_type_delete(of);
  release(&in);
  return made;
}

char *weir_call(weir *weir, const char *function, const char *arguments) {
  char *error;
  weir_limits limits = limits_of(weir, function, arguments ? strlen(arguments) : 0);
  weir_instance *instance = instance_new(weir, weir->directory, limits, &error);
  if (!instance) return error;
  char *answer = call_json(instance, function, arguments);
  instance_delete(instance);
  return answer;
}

weir_instance *weir_instance_new(weir *weir, char **error) {
  char *unwanted;
  weir_instance *made = instance_new(weir, weir->directory, WIDEST, error ? error : &unwanted);
  if (!made && !error) free(unwanted);
  return made;
}

char *weir_instance_call(weir_instance *instance, const char *function, const char *arguments) {
  pthread_mutex_lock(&instance->lock);
  char *answer = call_json(instance, function, arguments);
  pthread_mutex_unlock(&instance->lock);
  return answer;
}

void weir_instance_drop(weir_instance *instance) { instance_delete(instance); }

/* --- opening */

static bool only_ours(const struct stat *facts) { return facts->st_uid == geteuid() && !(facts->st_mode & 022); }

/* A directory made with mode 0700, or one that nobody else can write to. */
static bool private_directory(const char *path) {
  char *each = copied(path, strlen(path));
  for (char *at = each ? each + 1 : NULL; at && *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    mkdir(each, 0700);
    *at = '/';
  }
  free(each);
  struct stat facts;
  mkdir(path, 0700);
  return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && only_ours(&facts);
}

static char *whole_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  text made = {0};
  char *part = malloc(1 << 16);
  size_t read;
  while (part && (read = fread(part, 1, 1 << 16, file))) put(&made, part, read);
  bool failed = !part || ferror(file) || made.failed || !made.data;
  free(part);
  fclose(file);
  if (failed) free(made.data);
  *size = made.size;
  return failed ? NULL : made.data;
}

static void save_compiled(const wasmtime_component_t *component, const char *path) {
  wasm_byte_vec_t code;
  wasmtime_error_t *error = wasmtime_component_serialize(component, &code);
  if (error) {
    wasmtime_error_delete(error);
    return;
  }
  text beside = {0};
  puts_to(&beside, path);
  put_number(&beside, ".%ld.tmp", (long)getpid());
  int file = beside.failed ? -1 : open(beside.data, O_WRONLY | O_CREAT | O_EXCL, 0600);
  bool whole = file >= 0;
  for (size_t at = 0; whole && at < code.size;) {
    ssize_t wrote = write(file, code.data + at, code.size - at);
    whole = wrote > 0;
    if (whole) at += (size_t)wrote;
  }
  if (file >= 0) {
    whole = fsync(file) == 0 && whole;
    whole = close(file) == 0 && whole;
    if (!whole || rename(beside.data, path) != 0) unlink(beside.data);
  }
  free(beside.data);
  wasm_byte_vec_delete(&code);
}

static wasmtime_component_t *load_compiled(const wasm_engine_t *engine, const char *path) {
  struct stat facts;
  if (lstat(path, &facts) != 0 || !S_ISREG(facts.st_mode) || !only_ours(&facts)) return NULL;
  wasmtime_component_t *component = NULL;
  wasmtime_error_t *error = wasmtime_component_deserialize_file(engine, path, &component);
  if (error) wasmtime_error_delete(error);
  return error ? NULL : component;
}

static char *sentence(const char *says, const char *of) {
  text made = {0};
  puts_to(&made, says);
  puts_to(&made, of);
  return finished(&made);
}

/* The number of a component's section of exports. */
#define EXPORTS 11
#define TO_DO "; take weir.wasm and the library from one release"

/* How the version in the first name such as weir:plugin/info@0.3.0 compares with ours, and what it is; 2 where there is
 * no such name. */
static int compared(const char *bytes, size_t size, char version[40]) {
  static const char package[] = "weir:plugin/";
  size_t length = sizeof package - 1;
  unsigned ours[2] = {0};
  if (sscanf(WEIR_CONTRACT, "%u.%u", &ours[0], &ours[1]) != 2) return 2;
  for (size_t at = 0; at + length < size; at++) {
    if (memcmp(bytes + at, package, length)) continue;
    size_t to = at + length, n = 0;
    while (to < size && ((bytes[to] >= 'a' && bytes[to] <= 'z') || bytes[to] == '-')) to++;
    unsigned numbers[3] = {0};
    if (to == size || bytes[to++] != '@') continue;
    for (; to < size && n < 3; to++) {
      if (bytes[to] >= '0' && bytes[to] <= '9' && numbers[n] < 100000) numbers[n] = numbers[n] * 10 + (unsigned)(bytes[to] - '0');
      else if (bytes[to] == '.') n++;
      else break;
    }
    if (n < 2) continue;
    snprintf(version, 40, "%u.%u.%u", numbers[0], numbers[1], numbers[2]);
    for (n = 0; n < 2; n++)
      if (numbers[n] != ours[n]) return numbers[n] < ours[n] ? -1 : 1;
    return 0;
  }
  return 2;
}

/* What a file is before anything compiles it: NULL, or a sentence about what it is instead. */
static char *examine(const char *bytes, size_t size) {
  if (size < 8 || memcmp(bytes, "\0asm", 4)) return sentence("the component's file is not WebAssembly", TO_DO);
  if (!memcmp(bytes + 4, "\1\0\0", 4)) return sentence("the component's file is a core module, not a component", TO_DO);
  int compares = 2;
  char version[40] = "";
  for (size_t at = 8; at < size;) {
    int number = bytes[at++];
    uint64_t length = 0;
    for (int shift = 0;; shift += 7) {
      if (at == size || shift > 28) return sentence("the component's file is truncated or damaged", TO_DO);
      unsigned char byte = (unsigned char)bytes[at++];
      length |= (uint64_t)(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (length > size - at) return sentence("the component's file is truncated or damaged", TO_DO);
    if (number == EXPORTS && compares == 2) compares = compared(bytes + at, (size_t)length, version);
    at += (size_t)length;
  }
  if (compares == 0) return NULL;
  if (compares == 2) return sentence("the file is a component that exports no interface of weir:plugin", TO_DO);
  text made = {0};
  puts_to(&made, compares < 0 ? "the component is of the older contract weir:plugin@" : "the component is of the newer contract weir:plugin@");
  puts_to(&made, version);
  puts_to(&made, ", the library of " WEIR_CONTRACT TO_DO);
  return finished(&made);
}

/* The last of the causes that wasmtime lists, one a line, in a sentence; takes over what it is given. */
static char *not_compiled(char *causes) {
  if (!causes) return sentence("the component's file is damaged" TO_DO, "");
  size_t size = strlen(causes);
  while (size && strchr(" \r\n", causes[size - 1])) causes[--size] = 0;
  const char *last = strrchr(causes, '\n');
  last = last ? last + 1 : causes;
  last += strspn(last, " 0123456789:");
  text made = {0};
  puts_to(&made, "the component's file is damaged, or of another version of wasmtime: ");
  puts_to(&made, last);
  puts_to(&made, TO_DO);
  free(causes);
  return finished(&made);
}

/* NULL, or a sentence. */
static char *compile(weir *weir, const char *path, const char *cache) {
  size_t size;
  char *bytes = whole_file(path, &size), *failed = NULL;
  text named = {0};
  if (!bytes) {
    puts_to(&named, "cannot read the component ");
    puts_to(&named, path);
    puts_to(&named, ": name the file weir.wasm of the release that this library is of");
    return finished(&named);
  }
  if ((failed = examine(bytes, size))) {
    free(bytes);
    return failed;
  }
  if (cache && private_directory(cache)) {
    puts_to(&named, cache);
    put_number(&named, "/weir-%016" PRIx64 "-%zu-wasmtime-" WASMTIME_VERSION ".cwasm", fnv(bytes, size), size);
    if (!named.failed) weir->component = load_compiled(weir->engine, named.data);
  }
  if (!weir->component && lost_compiling) {
    failed = sentence("the component was compiled before this process was forked, and wasmtime's threads did not come along" FORK_FIRST, "");
  } else if (!weir->component) {
    compiled = true;
    wasmtime_error_t *error = wasmtime_component_new(weir->engine, (const uint8_t *)bytes, size, &weir->component);
    if (error) {
      weir->component = NULL;
      failed = not_compiled(told(error));
    } else if (named.data && !named.failed) {
      save_compiled(weir->component, named.data);
    }
  }
  free(named.data);
  free(bytes);
  return failed;
}

static char *set_up(weir *weir, const char *component, const char *directory, const weir_options *options) {
  if (directory && !private_directory(directory))
    return sentence("the directory of the store cannot be made, or others than this user can write to it: ", directory);
  if (directory && !(weir->directory = copied(directory, strlen(directory)))) return sentence("no memory left", "");
  wasm_config_t *config = wasm_config_new();
  wasmtime_config_consume_fuel_set(config, true);
  wasmtime_config_epoch_interruption_set(config, true);
  weir->engine = wasm_engine_new_with_config(config);
  char *failed = compile(weir, component, options->cache);
  if (failed) return failed;
  weir->linker = wasmtime_component_linker_new(weir->engine);
  wasmtime_error_t *error = wasmtime_component_linker_add_wasip2(weir->linker);
  if (error) return told(error);
  char interface[] = "weir:plugin/json@" WEIR_CONTRACT;
  wasmtime_component_export_index_t *index =
      wasmtime_component_get_export_index(weir->component, NULL, interface, strlen(interface));
  if (!index) return sentence("this component is of a world without strings: it has no ", interface);
  wasmtime_component_export_index_delete(index);
  if (!options->settings) return NULL;
  char *answer = weir_configure(weir, options->settings);
  char *message = weir_get(answer, "/error/message");
  if (!message) message = weir_get(answer, "/problems/0/message");
  free(answer);
  return message;
}

weir *weir_open(const char *component, const char *directory, const weir_options *given, char **error) {
  static const weir_options none;
  const weir_options *options = given ? given : &none;
  if (error) *error = NULL;
  static pthread_once_t watched = PTHREAD_ONCE_INIT;
  pthread_once(&watched, watch);
  weir *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->forks = forks;
  pthread_mutex_init(&made->lock, NULL);
  pthread_cond_init(&made->wake, NULL);
  made->limits = options->limits;
  made->limits_data = options->limits_data;
  char *failed = set_up(made, component, directory, options);
  if (!failed) return made;
  if (error) *error = failed;
  else free(failed);
  weir_close(made);
  return NULL;
}

void weir_close(weir *weir) {
  if (!weir) return;
  if (weir->forks == forks) { /* after a fork its clock is gone, and whoever held the lock */
    pthread_mutex_lock(&weir->lock);
    weir->closing = true;
    pthread_cond_signal(&weir->wake);
    pthread_mutex_unlock(&weir->lock);
    if (weir->ticking) pthread_join(weir->clock, NULL);
  }
  if (weir->linker) wasmtime_component_linker_delete(weir->linker);
  if (weir->component) wasmtime_component_delete(weir->component);
  if (weir->engine) wasm_engine_delete(weir->engine);
  pthread_cond_destroy(&weir->wake);
  pthread_mutex_destroy(&weir->lock);
  free(weir->directory);
  free(weir->settings);
  free(weir);
}

void weir_free(char *text) { free(text); }

/* --- results */

/* The text of the parts of a `transformed` that replaces a result; NULL when it does not. */
static char *replacement(const value *answer, size_t *length) {
  if (answer->kind != WASMTIME_COMPONENT_RESULT || !answer->of.result.is_ok || !answer->of.result.val) return NULL;
  const wasmtime_component_valrecord_t *record = &answer->of.result.val->of.record;
  bool replaced = false;
  text made = {0};
  put(&made, "", 0);
  for (size_t n = 0; n < record->size; n++) {
    const wasm_name_t *name = &record->data[n].name;
    const value *one = &record->data[n].val;
    if (name->size == 8 && !memcmp(name->data, "replaced", 8)) replaced = one->of.boolean;
    if (name->size != 5 || memcmp(name->data, "parts", 5)) continue;
    for (size_t part = 0; part < one->of.list.size; part++) {
      const value *shown = one->of.list.data[part].of.variant.val;
      if (shown && shown->kind == WASMTIME_COMPONENT_STRING) put(&made, shown->of.string.data, shown->of.string.size);
    }
  }
  if (replaced && !made.failed) {
    *length = made.size;
    return made.data;
  }
  free(made.data);
  return NULL;
}

char *weir_show(weir *weir, const char *session, const char *tool, const char *given, size_t size) {
  return weir_show_sized(weir, session, tool, given, size, NULL);
}

char *weir_show_sized(weir *weir, const char *session, const char *tool, const char *given, size_t size, size_t *shown_size) {
  if (size == WEIR_ALL) size = strlen(given);
  const char *function = "result-transform.transform";
  char *error, *shown = NULL;
  size_t length = size;
  text call = {0};
  puts_to(&call, "{\"session\":");
  put_string(&call, session, strlen(session));
  puts_to(&call, ",\"tool\":");
  put_string(&call, tool, strlen(tool));
  puts_to(&call, ",\"parts\":[\"\"]}");
  pool in = {0};
  json *plain = call.failed ? NULL : json_read(&in, call.data, DEPTH);
  weir_instance *instance = plain ? instance_new(weir, weir->directory, limits_of(weir, function, size), &error) : NULL;
  wasmtime_component_func_t found;
  if (plain && !instance) free(error);
  if (instance && find(instance, function, &found)) {
    wasmtime_component_func_type_t *of = wasmtime_component_func_type(&found, instance->context);
    value argument = {.kind = WASMTIME_COMPONENT_BOOL}, answer = {.kind = WASMTIME_COMPONENT_BOOL};
    char *failed = lower_all(of, plain, &argument, 1);
    for (size_t n = 0; !failed && n < argument.of.record.size; n++) {
      const wasm_name_t *name = &argument.of.record.data[n].name;
      if (name->size != 5 || memcmp(name->data, "parts", 5)) continue;
      value *part = argument.of.record.data[n].val.of.list.data[0].of.variant.val;
      wasmtime_component_val_delete(part);
      string_value(part, given, size, NULL);
    }
    if (!failed) failed = call_found(instance, &found, function, &argument, 1, size, &answer, 1);
    if (!failed) shown = replacement(&answer, &length);
    free(failed);
    wasmtime_component_val_delete(&argument);
    wasmtime_component_val_delete(&answer);
    wasmtime_component_func_type_delete(of);
  }
  instance_delete(instance);
  release(&in);
  free(call.data);
  if (shown_size) *shown_size = length;
  return shown ? shown : copied(given, size);
}

char *weir_transform(weir *weir, const char *call, const char *result, size_t size) {
  value arguments[] = {string_of(call, WEIR_ALL), string_of(result, size)};
  return strings_once(weir, "json.transform", arguments, 2);
}

char *weir_result_tools(weir *weir) { return strings_once(weir, "json.result-tools", NULL, 0); }

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What a model is told of a call that met a limit. */
static const char TOO_COSTLY[] =
    "too costly: this takes more than one call may. Instead, use grep with a plain word, "
    "range for a part, or a query that does less for each row: it selects early, avoids repeat, recurse and nested loops, "
    "and sums up with reduce";

char *weir_invoke(weir *weir, const char *session, const char *name, const char *arguments) {
  double until = seconds_now() + REQUEST_SECONDS;
  char *more = NULL;
  for (;;) {
    value given[] = {string_of(session, WEIR_ALL), string_of(name, WEIR_ALL), string_of(more ? more : arguments, WEIR_ALL)};
    char *answer = strings_once(weir, "json.invoke", given, 3);
    free(more);
    char *reason = weir_get(answer, "/error/reason");
    bool costly = reason && strcmp(reason, "fault");
    free(reason);
    if (costly) {
      text told = {0};
      puts_to(&told, "{\"isError\":true,\"text\":");
      put_string(&told, TOO_COSTLY, sizeof TOO_COSTLY - 1);
      puts_to(&told, "}");
      free(answer);
      return finished(&told);
    }
    more = weir_get(answer, "/more");
    if (!more || seconds_now() >= until) {
      free(more);
      return answer;
    }
    free(answer);
  }
}

char *weir_pin(weir *weir, const char *session, const char *id, bool pinned) {
  value arguments[] = {string_of(session, WEIR_ALL), string_of(id, WEIR_ALL), flag_of(pinned)};
  return strings_once(weir, "json.pin", arguments, 3);
}

char *weir_forget(weir *weir, const char *session, const char *id) {
  value arguments[] = {string_of(session, WEIR_ALL), string_of(id, WEIR_ALL)};
  return strings_once(weir, "json.forget", arguments, 2);
}

struct weir_intake {
  weir_instance *instance;
  uint32_t number;
  char kept[4]; /* a character that is not whole yet */
  size_t kept_size;
};

/* What opening something answers: its number, or 0 and the answer is an error. */
static uint32_t number_in(const char *answer, const char *pointer) {
  char *found = weir_get(answer, pointer);
  uint32_t number = found ? (uint32_t)strtoul(found, NULL, 10) : 0;
  free(found);
  return number;
}

weir_intake *weir_intake_open(weir *weir, const char *call, char **error) {
  char *answer = NULL;
  weir_intake *made = calloc(1, sizeof *made);
  if (made) made->instance = instance_new(weir, weir->directory, WIDEST, &answer);
  if (made && made->instance) {
    value argument = string_of(call, WEIR_ALL);
    answer = strings_call(made->instance, "json.open-intake", &argument, 1);
    made->number = number_in(answer, "/intake");
  }
  bool good = made && made->number;
  if (!good) weir_intake_drop(made);
  if (error) *error = good ? NULL : answer;
  if (good || !error) free(answer);
  return good ? made : NULL;
}

char *weir_intake_write(weir_intake *intake, const char *chunk, size_t size) {
  if (size == WEIR_ALL) size = strlen(chunk);
  text joined = {0};
  put(&joined, intake->kept, intake->kept_size);
  put(&joined, chunk, size);
  value arguments[] = {number_of(intake->number), {.kind = WASMTIME_COMPONENT_BOOL}};
  size_t left = 0;
  if (joined.failed || !string_value(&arguments[1], joined.data, joined.size, &left)) {
    free(joined.data);
    return copied(NO_MEMORY, sizeof NO_MEMORY - 1);
  }
  memcpy(intake->kept, joined.data + joined.size - left, left);
  intake->kept_size = left;
  free(joined.data);
  return strings_call(intake->instance, "json.write-intake", arguments, 2);
}

char *weir_intake_finish(weir_intake *intake, bool is_error) {
  if (intake->kept_size) {
    value rest[] = {number_of(intake->number), string_of(intake->kept, intake->kept_size)};
    free(strings_call(intake->instance, "json.write-intake", rest, 2));
  }
  value arguments[] = {number_of(intake->number), flag_of(is_error)};
  char *answer = strings_call(intake->instance, "json.finish-intake", arguments, 2);
  instance_delete(intake->instance);
  free(intake);
  return answer;
}

void weir_intake_drop(weir_intake *intake) {
  if (!intake) return;
  if (intake->instance && intake->number) {
    value argument = number_of(intake->number);
    free(strings_call(intake->instance, "json.drop-intake", &argument, 1));
  }
  instance_delete(intake->instance);
  free(intake);
}

/* --- tools */

struct weir_catalog {
  weir_instance *instance;
  uint32_t number;
};

weir_catalog *weir_catalog_open(weir *weir, const char *snapshot, size_t size, char **answer) {
  char *made_of = NULL;
  const char *function = "json.open-catalog";
  value argument = string_of(snapshot, size);
  weir_limits limits = limits_of(weir, function, argument.of.string.size);
  weir_catalog *made = calloc(1, sizeof *made);
  if (made) made->instance = instance_new(weir, NULL, limits, &made_of);
  if (made && made->instance) {
    made_of = strings_call(made->instance, function, &argument, 1);
    made->number = number_in(made_of, "/catalog");
  } else {
    wasmtime_component_val_delete(&argument);
  }
  if (answer) *answer = made_of;
  else free(made_of);
  if (made && made->number) return made;
  weir_catalog_drop(made);
  return NULL;
}

char *weir_catalog_assemble(weir_catalog *catalog, const char *settings) {
  value arguments[] = {number_of(catalog->number), string_of(settings, WEIR_ALL)};
  return strings_call(catalog->instance, "json.assemble", arguments, 2);
}

char *weir_catalog_invoke(weir_catalog *catalog, const char *name, const char *arguments, const char *conversation) {
  value given[] = {number_of(catalog->number), string_of(name, WEIR_ALL), string_of(arguments, WEIR_ALL),
                   string_of(conversation, WEIR_ALL)};
  return strings_call(catalog->instance, "json.invoke-bridge", given, 4);
}

#include "export.h"

void weir_catalog_drop(weir_catalog *catalog) {
  if (!catalog) return;
  instance_delete(catalog->instance);
  free(catalog);
}

/* --- looking after it */

char *weir_about(weir *weir) { return strings_once(weir, "json.about", NULL, 0); }

char *weir_configure(weir *weir, const char *settings) {
  value argument = string_of(settings, WEIR_ALL);
  char *answer = strings_once(weir, "json.configure", &argument, 1);
  char *refused = weir_get(answer, "/error");
  if (!refused) {
    char *kept = copied(settings, strlen(settings));
    pthread_mutex_lock(&weir->lock);
    free(weir->settings);
    weir->settings = kept;
    pthread_mutex_unlock(&weir->lock);
  }
  free(refused);
  return answer;
}

char *weir_status(weir *weir) { return strings_once(weir, "json.status", NULL, 0); }

/* Calls a function of the string interface until its answer has no `more`, which is its last argument. */
static char *until_over(weir *weir, const char *function, const value *given, size_t count) {
  char *answer = NULL, *more = copied("", 0);
  weir_instance *instance = instance_new(weir, weir->directory, limits_of(weir, function, 0), &answer);
  while (instance && more) {
    value arguments[3];
    for (size_t n = 0; n < count; n++) arguments[n] = given[n];
    arguments[count] = string_of(more, WEIR_ALL);
    free(more);
    answer = strings_call(instance, function, arguments, count + 1);
    more = weir_get(answer, "/more");
    if (more) free(answer);
  }
  free(more);
  if (instance) instance_delete(instance);
  return answer;
}

char *weir_sweep(weir *weir) {
  value given = number_of(SWEEP_ENTRIES);
  return until_over(weir, "json.sweep", &given, 1);
}

char *weir_check(weir *weir, bool repair) {
  value given[] = {flag_of(repair), number_of(CHECK_BYTES)};
  return until_over(weir, "json.check", given, 2);
}
