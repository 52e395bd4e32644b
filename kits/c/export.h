/* A part of weir.c: a catalog in the form that a model API takes, for the provider's own tool search or as bridge tools.
 *
 * This is the code of every kit over libweir, and works on what `assemble` answers. The component ranks, bounds and stores;
 * what a provider's request looks like is none of these, and changes when the provider says. `../conformance/export.json`
 * keeps the kits equal. */

typedef enum { ANTHROPIC, GEMINI, MCP, OPENAI, OPENAI_CHAT } api;

typedef struct {
  const char *name;
  api api;
  size_t most;               /* tools that the API takes, where it says how many */
  const char *type, *search; /* the type and the name of the provider's search tool, where that searches */
} form;

static const form FORMS[] = {
    {"anthropic", ANTHROPIC, 0, NULL, NULL},
    {"anthropic-bm25", ANTHROPIC, 10000, "tool_search_tool_bm25_20251119", "tool_search_tool_bm25"},
    {"anthropic-regex", ANTHROPIC, 10000, "tool_search_tool_regex_20251119", "tool_search_tool_regex"},
    {"gemini", GEMINI, 512, NULL, NULL},
    {"mcp", MCP, 0, NULL, NULL},
    {"openai", OPENAI, 0, NULL, NULL},
    {"openai-chat", OPENAI_CHAT, 0, NULL, NULL},
    {"openai-search", OPENAI, 0, "tool_search", NULL},
};

enum {
  FORM_COUNT = sizeof FORMS / sizeof *FORMS,
  GROUP = 9, /* tools in a namespace: OpenAI advises fewer than ten */
  /* Levels of a schema, each of two levels of JSON: some libraries write and read no more than 100. What lies deeper may
   * be anything. */
  DEEPEST = 40
};

/* A name of 1 to 64 letters, digits and characters of `rest`, which begins with a letter, one of `first` or, with
 * `digit`, a digit. */
typedef struct {
  const char *first, *rest;
  bool digit;
} pattern;

/* Names of tools that each of these APIs takes; names of parameters, where an API looks at them. */
static const pattern NAME = {"_", "_-", false}, ANTHROPIC_KEY = {"_.-", "_.-", true}, GEMINI_KEY = {"_", "_", false};

/* JSON Schema of 2020-12: what stands under a keyword. Values of another kind are left out. */
static const char SCHEMA[] = "additionalProperties contains else if items not propertyNames then";
static const char SCHEMAS[] = "allOf anyOf oneOf prefixItems";
static const char NAMED[] = "$defs dependentSchemas patternProperties properties";
static const char TEXTS[] = "$anchor $id $ref description format pattern title";
static const char NUMBERS[] = "exclusiveMaximum exclusiveMinimum maximum minimum multipleOf";
static const char COUNTS[] = "maxItems maxLength maxProperties minItems minLength minProperties";
static const char TYPES[] = "array boolean integer null number object string";
/* The keywords that Gemini knows. */
static const char GEMINI_KEYS[] = "$anchor $defs $id $ref additionalProperties anyOf description enum format items maxItems maximum "
                                  "minItems minimum oneOf prefixItems properties propertyOrdering required title type";
static const char NOT_AT_THE_ROOT[] = "const else enum if not then type";

/* The place of a word among others, from 1; 0 when it is none of them. */
static int among(const char *words, const char *word, size_t size) {
  for (int place = 1;; place++) {
    size_t length = strcspn(words, " ");
    if (length == size && !memcmp(words, word, size)) return place;
    if (!words[length]) return 0;
    words += length + 1;
  }
}

static bool is(const json *one, const char *name) { return is_named(one, name, strlen(name)); }
static json *get(const json *of, const char *name) { return json_member(of, name, strlen(name)); }
static json *entry(pool *in, json *to, const char *name) { return json_entry(in, to, name, strlen(name)); }
static json string(const char *from, size_t size) { return (json){.kind = J_STRING, .string = from, .size = size}; }

static void put_string_at(pool *in, json *to, const char *name, const char *value) {
  json made = string(value, strlen(value));
  fill(entry(in, to, name), &made);
}

/* A string that lives as long as the pool, with a zero byte at its end. Takes the text. */
static json held(pool *in, text *from) {
  put(from, "", 0);
  char *copy = from->failed ? NULL : take(in, from->size + 1);
  json made = copy ? string(memcpy(copy, from->data, from->size), from->size) : string("", 0);
  in->failed = in->failed || from->failed;
  free(from->data);
  *from = (text){0};
  return made;
}

static void put_json(text *to, const json *one) {
  switch (one->kind) {
  case J_NULL: puts_to(to, "null"); return;
  case J_BOOL: puts_to(to, one->truth ? "true" : "false"); return;
  case J_STRING: put_string(to, one->string, one->size); return;
  case J_NUMBER:
  case J_UNREAD: put(to, one->start, (size_t)(one->end - one->start)); return;
  case J_LIST:
  case J_OBJECT: break;
  }
  puts_to(to, one->kind == J_LIST ? "[" : "{");
  for (const json *inner = one->first; inner; inner = inner->next) {
    if (inner != one->first) puts_to(to, ",");
    if (one->kind == J_OBJECT) put_string(to, inner->name, inner->name_size), puts_to(to, ":");
    put_json(to, inner);
  }
  puts_to(to, one->kind == J_LIST ? "]" : "}");
}

/* --- names */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool fits_pattern(const pattern *as, const char *name, size_t size) {
  for (size_t n = 0; n < size; n++) {
    char c = name[n];
    if (is_letter(c) || (is_digit(c) && (n || as->digit))) continue;
    if (!c || !strchr(n ? as->rest : as->first, c)) return false;
  }
  return size > 0 && size <= 64;
}

/* The text, where the pattern takes it and nothing has it. Otherwise a text like it with eight digits of its own, which
 * are the same in whatever catalog. */
static json fitting(pool *in, const char *from, size_t size, const pattern *as, json *used) {
  char stem[55];
  size_t length = 0;
  uint32_t digest = 0x811C9DC5; /* FNV-1a, of 32 bits */
  for (size_t n = 0; n < size; n++) {
    digest = (digest ^ (unsigned char)from[n]) * 0x01000193u;
    bool begins = ((unsigned char)from[n] & 0xC0) != 0x80; /* a character */
    if (begins && length < sizeof stem - 1) stem[length++] = is_letter(from[n]) || is_digit(from[n]) ? from[n] : '_';
  }
  stem[length] = 0;
  json name = string(from, size);
  while (!in->failed && (!fits_pattern(as, name.string, name.size) || json_member(used, name.string, name.size))) {
    text made = {0};
    if (!is_letter(*stem)) puts_to(&made, "_");
    puts_to(&made, stem);
    put_number(&made, "_%08" PRIx32, digest);
    name = held(in, &made);
    digest = (digest ^ '#') * 0x01000193u;
  }
  json_entry(in, used, name.string, name.size);
  return name;
}

/* What each member is called instead, by its name. Those that fit come first, so that they keep their names. */
static json fitted(pool *in, const json *members, const pattern *as, json *used) {
  json made = {.kind = J_OBJECT};
  for (const json *one = members->first; one; one = one->next) json_entry(in, &made, one->name, one->name_size);
  for (int late = 0; late < 2; late++)
    for (json *one = made.first; one; one = one->next) {
      if (fits_pattern(as, one->name, one->name_size) == late) continue;
      json name = fitting(in, one->name, one->name_size, as, used);
      fill(one, &name);
    }
  return made;
}

/* --- schemas */

/* What a reference within the schema means, or NULL. */
static json *pointed(pool *in, json *schema, const json *reference) {
  const char *at = reference->string, *end = at + reference->size;
  json *found = at < end && *at == '#' ? schema : NULL;
  char *step = take(in, reference->size);
  if (!step) return NULL;
  while (at < end && *at != '/') at++;
  while (found && at < end) {
    size_t size = 0;
    for (at++; at < end && *at != '/'; at++) {
      bool escaped = *at == '~' && at + 1 < end && (at[1] == '0' || at[1] == '1');
      step[size++] = !escaped ? *at : *++at == '0' ? '~' : '/';
    }
    found = json_member(found, step, size);
  }
  return found;
}

typedef struct part {
  json *schema;
  bool holds; /* always, not in a choice alone */
  struct part *next;
} part;

/* Adds a part, each once as one that holds and once as one of a choice. */
static part *add_part(pool *in, part *last, json *schema, bool holds) {
  bool is_new = schema && schema->kind == J_OBJECT && !schema->seen[holds];
  part *made = is_new ? take(in, sizeof *made) : NULL;
  if (!made) return last;
  schema->seen[holds] = true;
  *made = (part){schema, holds, NULL};
  return last->next = made;
}

/* The schema as a plain object: no API takes a choice or a reference at the root. What may be a parameter in any part is
 * one of the root, and is required where a part that always holds requires it. */
static json lifted(pool *in, json *schema) {
  json made = {.kind = J_OBJECT}, properties = {.kind = J_OBJECT}, required = {.kind = J_LIST};
  json choices = {.kind = J_OBJECT};
  part root = {NULL, true, NULL}, *last = add_part(in, &root, schema, true);
  put_string_at(in, &made, "type", "object");
  for (part *at = root.next; at; at = at->next)
    for (json *one = at->schema->first; one; one = one->next) {
      json *inner = one->kind == J_LIST || one->kind == J_OBJECT ? one->first : NULL;
      if (is(one, "properties")) {
        for (; one->kind == J_OBJECT && inner; inner = inner->next) {
          json *several = json_entry(in, &properties, inner->name, inner->name_size);
          several->kind = J_LIST;
          text printed = {0};
          put_string(&printed, inner->name, inner->name_size);
          put_json(&printed, inner);
          json key = held(in, &printed);
          json *known = json_entry(in, &choices, key.string, key.size);
          if (!known->used) fill(json_add(in, several), inner);
          known->used = true;
        }
      } else if (is(one, "required")) {
        for (; one->kind == J_LIST && at->holds && inner; inner = inner->next)
          if (inner->kind == J_STRING) fill(json_add(in, &required), inner);
      } else if (is(one, "$ref")) {
        if (one->kind == J_STRING) last = add_part(in, last, pointed(in, schema, one), at->holds);
      } else if (among("allOf anyOf oneOf", one->name, one->name_size)) {
        for (; one->kind == J_LIST && inner; inner = inner->next)
          last = add_part(in, last, inner, at->holds && is(one, "allOf"));
      } else if (at->schema == schema && !among(NOT_AT_THE_ROOT, one->name, one->name_size)) {
        fill(json_entry(in, &made, one->name, one->name_size), one);
      }
    }
  for (json *one = properties.first; one && !in->failed; one = one->next) {
    json any = {.kind = J_OBJECT};
    if (one->count > 1) fill(entry(in, &any, "anyOf"), one);
    fill(one, one->count > 1 ? &any : one->first);
  }
  for (const json *one = required.first; one; one = one->next)
    if (!json_member(&properties, one->string, one->size)) json_entry(in, &properties, one->string, one->size)->kind = J_OBJECT;
  fill(entry(in, &made, "properties"), &properties);
  fill(entry(in, &made, "required"), &required);
  return made;
}

/* Whether a keyword may have a value. Keywords that are not known may have any. */
static bool is_valid(const json *one) {
  if (is(one, "type")) {
    int kinds = 0;
    for (const json *kind = one->kind == J_LIST ? one->first : one; kind; kind = one->kind == J_LIST ? kind->next : NULL) {
      int bit = kind->kind == J_STRING ? 1 << among(TYPES, kind->string, kind->size) : 1;
      if (bit == 1 || kinds & bit) return false;
      kinds |= bit;
    }
    return kinds != 0;
  }
  if (is(one, "required") || is(one, "enum")) {
    const json *other = one->kind == J_LIST && is(one, "required") ? one->first : NULL;
    while (other && other->kind == J_STRING) other = other->next;
    return one->kind == J_LIST && !other;
  }
  if (among(TEXTS, one->name, one->name_size)) return one->kind == J_STRING;
  if (among(COUNTS, one->name, one->name_size)) {
    char *end = NULL;
    double number = one->kind == J_NUMBER ? strtod(one->start, &end) : -1;
    return end == one->end && number >= 0 && isfinite(number) && floor(number) == number;
  }
  return one->kind == J_NUMBER || !among(NUMBERS, one->name, one->name_size);
}

/* What is required, once, of the properties that are there. */
static json required_of(pool *in, const json *one, const json *properties) {
  json made = {.kind = J_LIST}, seen = {.kind = J_OBJECT};
  for (const json *name = one->first; name; name = name->next) {
    bool there = !properties || properties->kind != J_OBJECT || json_member(properties, name->string, name->size);
    if (!there || json_member(&seen, name->string, name->size)) continue;
    json_entry(in, &seen, name->string, name->size);
    fill(json_add(in, &made), name);
  }
  return made;
}

/* The schema as 2020-12 has it: APIs refuse a whole request for one keyword of another draft. `gemini`: with the
 * keywords alone that Gemini knows. */
static json tidy(pool *in, const json *schema, bool gemini, int depth) {
  static const char OLD[] = "#/definitions/", NEW[] = "#/$defs/";
  if (schema->kind == J_BOOL) return *schema;
  json made = {.kind = J_OBJECT};
  if (schema->kind != J_OBJECT || depth > DEEPEST) return made;
  for (const json *one = schema->first; one; one = one->next) {
    bool is_alone = gemini && is(one, "const") && (one->kind == J_STRING || one->kind == J_NUMBER || one->kind == J_BOOL);
    const char *key = is(one, "definitions") ? "$defs" : is_alone ? "enum" : one->name;
    size_t size = key == one->name ? one->name_size : strlen(key);
    json value = *one;
    if (is(one, "$schema") || (gemini && !among(GEMINI_KEYS, key, size))) continue;
    if (among(SCHEMA, key, size)) {
      value = tidy(in, one, gemini, depth + 1);
    } else if (among(SCHEMAS, key, size)) {
      if (one->kind != J_LIST || !one->first) continue;
      value = (json){.kind = J_LIST};
      for (const json *inner = one->first; inner; inner = inner->next) {
        json plain = tidy(in, inner, gemini, depth + 1);
        fill(json_add(in, &value), &plain);
      }
    } else if (among(NAMED, key, size)) {
      if (one->kind != J_OBJECT) continue;
      const json *earlier = json_member(&made, key, size);
      value = earlier ? *earlier : (json){.kind = J_OBJECT};
      for (const json *inner = one->first; inner; inner = inner->next) {
        json plain = tidy(in, inner, gemini, depth + 1);
        fill(json_entry(in, &value, inner->name, inner->name_size), &plain);
      }
    } else if (is(one, "$ref") && one->kind == J_STRING) {
      if (one->size >= sizeof OLD - 1 && !memcmp(one->string, OLD, sizeof OLD - 1)) {
        size_t rest = one->size - (sizeof OLD - 1), whole = sizeof NEW - 1 + rest;
        char *moved = take(in, whole);
        if (!moved) continue;
        memcpy(moved, NEW, sizeof NEW - 1);
        memcpy(moved + sizeof NEW - 1, one->string + sizeof OLD - 1, rest);
        value = string(moved, whole);
      }
    } else if (is_alone) {
      value = (json){.kind = J_LIST};
      fill(json_add(in, &value), one);
    } else if (!is_valid(one)) {
      continue;
    } else if (is(one, "required")) {
      value = required_of(in, one, get(schema, "properties"));
      if (!value.first) continue;
    }
    fill(json_entry(in, &made, key, size), &value);
  }
  return made;
}

/* A schema that an API takes; `changed` gets what the tool calls the parameters that have another name in it. It may
 * allow more than the tool's own: the catalog checks each call by that one. */
static json parameters(pool *in, json *schema, api of, json *changed) {
  json plain = lifted(in, schema);
  json made = tidy(in, &plain, of == GEMINI, 0), *own = get(&made, "properties");
  if (!own || (of != GEMINI && of != ANTHROPIC)) return made;
  json used = {.kind = J_OBJECT}, properties = {.kind = J_OBJECT};
  json names = fitted(in, own, of == GEMINI ? &GEMINI_KEY : &ANTHROPIC_KEY, &used);
  for (const json *one = own->first, *name = names.first; one && name; one = one->next, name = name->next) {
    fill(json_entry(in, &properties, name->string, name->size), one);
    if (is_named(name, name->string, name->size)) continue;
    json old = string(one->name, one->name_size);
    fill(json_entry(in, changed, name->string, name->size), &old);
  }
  fill(own, &properties);
  json *required = get(&made, "required");
  for (json *one = required ? required->first : NULL; one; one = one->next) {
    const json *name = json_member(&names, one->string, one->size);
    if (name) fill(one, name);
  }
  return made;
}

/* --- tools */

/* One tool, as an API has it. */
static json shaped(pool *in, api of, const json *name, const json *description, const json *schema, bool deferred) {
  json made = {.kind = J_OBJECT}, inner = {.kind = J_OBJECT}, *tool = of == OPENAI_CHAT ? &inner : &made;
  bool openai = of == OPENAI || of == OPENAI_CHAT;
  if (openai) put_string_at(in, &made, "type", "function");
  fill(entry(in, tool, "name"), name);
  if (description && description->size) fill(entry(in, tool, "description"), description);
  fill(entry(in, tool, of == GEMINI ? "parametersJsonSchema" : openai ? "parameters" : "input_schema"), schema);
  const json no = {.kind = J_BOOL}, yes = {.kind = J_BOOL, .truth = true};
  if (openai) fill(entry(in, tool, "strict"), &no);
  if (of == OPENAI_CHAT) fill(entry(in, &made, "function"), &inner);
  if (deferred) fill(entry(in, &made, "defer_loading"), &yes);
  return made;
}

/* The tools of each server in namespaces of OpenAI, which a model knows by the names of what is in them. */
static void add_namespaces(pool *in, json *to, const json *groups) {
  json used = {.kind = J_OBJECT};
  for (const json *group = groups->first; group; group = group->next) {
    const json *tool = group->first;
    for (int number = 1; tool; number++) {
      json space = {.kind = J_OBJECT}, some = {.kind = J_LIST};
      text named = {0}, described = {0};
      put(&named, group->name, group->name_size);
      if (number > 1) put_number(&named, "_%d", number);
      for (int n = 0; tool && n < GROUP; n++, tool = tool->next) {
        puts_to(&described, n ? ", " : "Tools: ");
        put(&described, tool->string, tool->size);
        fill(json_add(in, &some), tool);
      }
      json whole = held(in, &named), name = fitting(in, whole.string, whole.size, &NAME, &used), about = held(in, &described);
      put_string_at(in, &space, "type", "namespace");
      fill(entry(in, &space, "name"), &name);
      fill(entry(in, &space, "description"), &about);
      fill(entry(in, &space, "tools"), &some);
      fill(json_add(in, to), &space);
    }
  }
}

/* A value as text, which is printed as it is. */
static json printed(pool *in, const json *one) {
  text made = {0};
  put_json(&made, one);
  json whole = held(in, &made);
  return (json){.kind = J_UNREAD, .start = whole.string, .end = whole.string + whole.size};
}

/* One tool of an assembly as a form has it; `changes` gets the names of its parameters that are others. */
static json converted(pool *in, api of, const json *tool, const json *name, bool deferred, json *changes) {
  pool own = {0};
  json schema = {0}, changed = {.kind = J_OBJECT};
  json_value(&own, get(tool, "inputSchema")->start, &schema, DEPTH);
  json given = parameters(&own, &schema, of, &changed);
  json whole = shaped(&own, of, name, get(tool, "description"), &given, deferred);
  json made = printed(in, &whole);
  made.string = name->string, made.size = name->size;
  if (changed.first) {
    json back = printed(in, &changed);
    fill(json_entry(in, changes, name->string, name->size), &back);
  }
  in->failed = in->failed || own.failed;
  release(&own);
  return made;
}

/* The tools of an assembly, as a form has them. `deferred`: those that the provider searches, with their servers. */
static json exported(pool *in, const form *as, const json *assembly, const json *deferred) {
  json list = {.kind = J_LIST}, ids = {.kind = J_OBJECT}, groups = {.kind = J_OBJECT}, used = {.kind = J_OBJECT};
  json made = {.kind = J_OBJECT}, names = {.kind = J_OBJECT}, changes = {.kind = J_OBJECT};
  const json *tools = get(assembly, "tools"), *block = get(assembly, "block");
  for (const json *tool = tools->first; tool; tool = tool->next) {
    const json *id = get(tool, "name");
    fill(json_entry(in, &ids, id->string, id->size), id);
  }
  for (int n = 0; n < FORM_COUNT; n++)
    if (FORMS[n].search) entry(in, &used, FORMS[n].search);
  json fit = as->api == MCP ? ids : fitted(in, &ids, &NAME, &used), search = {.kind = J_OBJECT};
  if (deferred->first) put_string_at(in, &search, "type", as->type);
  if (deferred->first && as->search) {
    put_string_at(in, &search, "name", as->search);
    fill(json_add(in, &list), &search);
  }
  for (const json *tool = tools->first; tool && !in->failed; tool = tool->next) {
    const json *id = get(tool, "name"), *name = json_member(&fit, id->string, id->size);
    const json *server = json_member(deferred, id->string, id->size);
    json shown = as->api == MCP ? *tool : converted(in, as->api, tool, name, server != NULL, &changes), *place = &list;
    if (server && as->api == OPENAI) {
      place = server->size ? json_entry(in, &groups, server->string, server->size) : entry(in, &groups, "tools");
      place->kind = J_LIST;
    }
    fill(json_add(in, place), &shown);
  }
  if (as->api == GEMINI) {
    json tool = {.kind = J_OBJECT};
    fill(entry(in, &tool, "functionDeclarations"), &list);
    list = (json){.kind = J_LIST};
    fill(json_add(in, &list), &tool);
  } else if (deferred->first && as->api == OPENAI) {
    add_namespaces(in, &list, &groups);
    fill(json_add(in, &list), &search);
  }
  for (const json *one = fit.first; one; one = one->next) {
    json id = string(one->name, one->name_size);
    fill(json_entry(in, &names, one->string, one->size), &id);
  }
  put_string_at(in, &made, "block", "");
  if (block) fill(entry(in, &made, "block"), block);
  fill(entry(in, &made, "tools"), &list);
  fill(entry(in, &made, "names"), &names);
  fill(entry(in, &made, "arguments"), &changes);
  return made;
}

/* The text of a value. Takes the pool. */
static char *answer_of(pool *in, const json *one) {
  text made = {0};
  put_json(&made, one);
  made.failed = made.failed || in->failed;
  release(in);
  return finished(&made);
}

static void put_count(text *to, size_t count) {
  if (count >= 1000) put_number(to, "%zu,", count / 1000);
  put_number(to, count >= 1000 ? "%03zu" : "%zu", count % 1000);
}

static char *no_form(const char *name) {
  text message = {0}, made = {0};
  puts_to(&message, "there is no form '");
  put(&message, name, valid_to(name, strlen(name)));
  puts_to(&made, "{\"error\":{\"code\":\"invalid\",\"argument\":\"form\",\"names\":");
  for (int n = 0; n < FORM_COUNT; n++) {
    puts_to(&message, n ? ", " : "': export one of ");
    puts_to(&message, FORMS[n].name);
    puts_to(&made, n ? "," : "[");
    put_string(&made, FORMS[n].name, strlen(FORMS[n].name));
  }
  puts_to(&made, "],\"message\":");
  put_string(&made, message.data, message.size);
  puts_to(&made, "}}");
  made.failed = made.failed || message.failed;
  free(message.data);
  return finished(&made);
}

static char *too_many(const form *as, size_t count) {
  text made = {0};
  puts_to(&made, "{\"error\":{\"code\":\"too-many-tools\",\"message\":\"");
  puts_to(&made, as->name);
  puts_to(&made, " takes ");
  put_count(&made, as->most);
  puts_to(&made, " tools and these are ");
  put_count(&made, count);
  puts_to(&made, ": export another form, or a smaller catalog\",\"total\":");
  put_number(&made, "%zu}}", count);
  return finished(&made);
}

/* Settings with a mode of `off`, or of `on` where they have none; what is not an object stays as it is. */
static char *with_mode(const char *settings, bool off) {
  pool in = {0};
  json *given = json_read(&in, settings && *blank(settings) ? settings : "{}", 1);
  if (!given || given->kind != J_OBJECT) {
    release(&in);
    return copied(settings ? settings : "", settings ? strlen(settings) : 0);
  }
  if (off || !get(given, "mode")) put_string_at(&in, given, "mode", off ? "off" : "on");
  return answer_of(&in, given);
}

/* What `assemble` answers, read as far as the schemas; NULL when it is an error, which is then `*error`. */
static json *assembly_of(pool *in, weir_catalog *catalog, const char *settings, bool off, char **error) {
  char *given = with_mode(settings, off), *answer = weir_catalog_assemble(catalog, given);
  text source = {0};
  puts_to(&source, answer);
  json *made = json_read(in, held(in, &source).string, 3);
  bool good = get(made, "tools") && get(made, "visible");
  free(given);
  if (in->failed || good) free(answer);
  if (!good) *error = in->failed ? copied(NO_MEMORY, sizeof NO_MEMORY - 1) : answer;
  return good ? made : NULL;
}

char *weir_catalog_export(weir_catalog *catalog, const char *name, const char *settings) {
  const form *as = NULL;
  for (int n = 0; n < FORM_COUNT; n++)
    if (!strcmp(FORMS[n].name, name)) as = &FORMS[n];
  if (!as) return no_form(name);
  pool in = {0};
  char *error = NULL;
  json direct = {.kind = J_OBJECT}, deferred = {.kind = J_OBJECT};
  json *assembly = assembly_of(&in, catalog, settings, false, &error);
  if (assembly && as->type && get(assembly, "active")->truth) {
    for (const json *tool = get(assembly, "visible")->first; tool; tool = tool->next) {
      const json *id = get(tool, "id");
      json_entry(&in, &direct, id->string, id->size);
    }
    assembly = assembly_of(&in, catalog, settings, true, &error);
    for (const json *tool = assembly ? get(assembly, "visible")->first : NULL; tool; tool = tool->next) {
      const json *id = get(tool, "id");
      bool is_direct = json_member(&direct, id->string, id->size);
      if (!is_direct) fill(json_entry(&in, &deferred, id->string, id->size), get(tool, "server"));
    }
  }
  size_t count = assembly ? get(assembly, "tools")->count : 0;
  if (as->most && count > as->most) error = too_many(as, count);
  if (error) {
    release(&in);
    return error;
  }
  json made = exported(&in, as, assembly, &deferred);
  return answer_of(&in, &made);
}

char *weir_exported_call(const char *exported, const char *name, const char *arguments) {
  pool in = {0};
  if (!arguments) arguments = "{}";
  const json *all = exported ? json_read(&in, exported, 3) : NULL, *names = get(all, "names"), *id = names ? get(names, name) : NULL;
  const json *own = get(all, "arguments") ? get(get(all, "arguments"), name) : NULL;
  const json *given = own ? json_read(&in, arguments, 1) : NULL;
  json made = {.kind = J_OBJECT}, renamed = {.kind = J_OBJECT};
  text changed = {0};
  if (given && given->kind == J_OBJECT) {
    for (const json *one = given->first; one; one = one->next) {
      const json *key = json_member(own, one->name, one->name_size);
      fill(key ? json_entry(&in, &renamed, key->string, key->size) : json_entry(&in, &renamed, one->name, one->name_size), one);
    }
    put_json(&changed, &renamed);
  } else {
    puts_to(&changed, arguments);
  }
  json whole = held(&in, &changed);
  put_string_at(&in, &made, "name", id ? id->string : name);
  fill(entry(&in, &made, "arguments"), &whole);
  return answer_of(&in, &made);
}
