//! Names, schemas, references, styles, bodies, addresses, secrets; and what hostile descriptions and arguments do.

use std::time::Instant;

use serde_json::{Map, Value};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use url::Url;

use super::*;
use crate::access::Access;
use crate::document::Document;
use crate::operations::Found;
use crate::request::{Prepared, prepare};

const BASE: &str = "https://api.example/v1";

fn document(value: &Value) -> Document {
    Document::read(value.to_string().as_bytes()).unwrap()
}

fn api(description: &str) -> Api {
    Api {
        description: description.to_owned(),
        url: None,
        headers: BTreeMap::new(),
        auth: BTreeMap::new(),
    }
}

fn found(value: &Value) -> Found {
    let base = Url::parse(BASE).unwrap();
    operations::read(&document(value), &base, &Access::default()).unwrap()
}

/// A description with these paths.
fn with(paths: Value) -> Value {
    json!({"openapi": "3.0.3", "info": {}, "paths": paths})
}

fn tool(operation: &Operation) -> Value {
    serde_json::from_str(&operation.definition).unwrap()
}

/// The only tool of an operation.
fn only(paths: Value) -> Operation {
    let mut found = found(&with(paths));
    assert!(found.1.is_empty(), "{:?}", found.1);
    assert_eq!(found.0.len(), 1);
    found.0.remove(0)
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn asked(operation: &Operation, arguments: Value) -> Result<Prepared, String> {
    prepare(operation, &Url::parse(BASE).unwrap(), &map(arguments))
}

fn address(operation: &Operation, arguments: Value) -> String {
    asked(operation, arguments).unwrap().address.to_string()
}

fn body(operation: &Operation, arguments: Value) -> String {
    String::from_utf8(asked(operation, arguments).unwrap().body).unwrap()
}

fn parameter(name: &str, place: &str, more: Value) -> Value {
    let mut parameter = json!({"name": name, "in": place, "schema": {}});
    parameter.as_object_mut().unwrap().extend(map(more));
    parameter
}

#[test]
fn names_are_ids_or_method_and_path_and_each_is_there_once() {
    let found = found(&with(json!({
        "/a": {"get": {"operationId": "repos/list-for-org"}, "post": {"operationId": "repos list-for-org!"}},
        "/orgs/{org}/repos": {"get": {}, "delete": {"operationId": "/"}},
        "/b": {"get": {"operationId": "x".repeat(300)}},
    })));
    let mut names: Vec<&str> = found.0.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    let long = "x".repeat(100);
    let wanted = [
        "delete_orgs_org_repos",
        "get_orgs_org_repos",
        "repos_list-for-org",
        "repos_list-for-org_2",
        &long,
    ];
    assert_eq!(names, wanted);
}

#[test]
fn a_tool_says_what_its_method_promises() {
    let methods = json!({"get": {}, "put": {}, "post": {"deprecated": true, "summary": "Adds one."}, "delete": {}, "head": {}});
    let found = found(&with(json!({"/a": methods})));
    let hints = |method: &str| {
        let one = found.0.iter().find(|it| it.method.as_str() == method).unwrap();
        tool(one)["annotations"].clone()
    };
    assert_eq!(hints("GET"), json!({"readOnlyHint": true}));
    assert_eq!(hints("HEAD"), json!({"readOnlyHint": true}));
    assert_eq!(hints("POST"), json!({}));
    assert_eq!(hints("PUT"), json!({"idempotentHint": true}));
    let delete = json!({"destructiveHint": true, "idempotentHint": true});
    assert_eq!(hints("DELETE"), delete);
    let post = found.0.iter().find(|it| it.name == "post_a").unwrap();
    assert_eq!(tool(post)["description"], "Deprecated. Adds one.");
    assert_eq!(tool(post)["title"], "Adds one.");
    let get = found.0.iter().find(|it| it.name == "get_a").unwrap();
    assert_eq!(tool(get)["description"], "GET /a");
}

#[test]
fn references_become_definitions_and_cycles_stay() {
    let description = json!({"openapi": "3.1.0", "paths": {"/n": {"post": {
        "operationId": "add",
        "parameters": [{"$ref": "#/components/parameters/Limit"}],
        "requestBody": {"$ref": "#/components/requestBodies/Node"},
    }}}, "components": {
        "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"$ref": "#/components/schemas/Count"}}},
        "requestBodies": {"Node": {"required": true, "content": {"application/json": {
            "schema": {"$ref": "#/components/schemas/Node"}}}}},
        "schemas": {
            "Count": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
            "Node": {"type": "object", "required": ["name", "id"], "properties": {
                "id": {"type": "string", "readOnly": true},
                "name": {"type": "string", "nullable": true, "example": "x"},
                "next": {"$ref": "#/components/schemas/Node"},
                "other": {"$ref": "other.yaml#/Node"},
                "loop": {"$ref": "#/components/schemas/Loop"},
            }},
            "Loop": {"$ref": "#/components/schemas/Loop"},
        },
    }});
    let found = found(&description);
    let schema = tool(&found.0[0])["inputSchema"].clone();
    assert_eq!(schema["properties"]["limit"], json!({"$ref": "#/$defs/Count"}));
    assert_eq!(schema["properties"]["name"], json!({"type": ["string", "null"]}));
    assert_eq!(schema["properties"]["next"], json!({"$ref": "#/$defs/Node"}));
    assert_eq!(schema["properties"]["other"], json!({}));
    assert_eq!(schema["properties"].get("id"), None, "an answer's");
    assert_eq!(schema["required"], json!(["name"]));
    assert_eq!(schema["$defs"]["Count"], json!({"type": "integer", "exclusiveMinimum": 0}));
    assert_eq!(schema["$defs"]["Node"]["required"], json!(["name"]));
    assert_eq!(schema["$defs"]["Loop"], json!({"$ref": "#/$defs/Loop"}));
}

#[test]
fn schemas_are_bounded() {
    let chain = (0..3_000).map(|n| {
        let next = json!({"$ref": format!("#/components/schemas/S{}", n + 1)});
        (
            format!("S{n}"),
            json!({"type": "object", "description": "x".repeat(90), "properties": {"next": next}}),
        )
    });
    let mut description = with(json!({"/a": {"post": {
        "parameters": [parameter("kind", "query", json!({"schema": {"type": "string", "enum": (0..100_000).collect::<Vec<_>>()}}))],
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}},
    }}}));
    description["components"] = json!({"schemas": chain.collect::<Map<_, _>>()});
    let found = found(&description);
    let schema = tool(&found.0[0])["inputSchema"].clone();
    assert_eq!(
        schema["properties"]["kind"]["description"],
        "(One of 100000 values, such as [0,1,2,3,4].)"
    );
    assert!(schema["properties"]["kind"].get("enum").is_none());
    assert!(schema.to_string().len() < 40_000, "{}", schema.to_string().len());
    // What is referred to is there.
    let definitions = schema["$defs"].as_object().unwrap();
    for definition in definitions.values() {
        if let Some(next) = definition["properties"]["next"]["$ref"].as_str() {
            assert!(definitions.contains_key(next.strip_prefix("#/$defs/").unwrap()), "{next}");
        }
    }
}

#[test]
fn members_of_a_body_are_arguments_where_none_is_in_the_way() {
    let post = |required: bool, schema: Value| {
        only(json!({"/a/{id}": {"post": {
            "parameters": [parameter("id", "path", json!({}))],
            "requestBody": {"required": required, "content": {"application/json": {"schema": schema}}},
        }}}))
    };
    let names = |operation: &Operation| {
        let schema = tool(operation)["inputSchema"].clone();
        schema["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
    };
    let plain = json!({"properties": {"name": {"type": "string"}, "tags": {"type": "array"}}, "required": ["name"]});
    let merged = post(true, plain.clone());
    assert_eq!(names(&merged), "id name tags");
    assert_eq!(tool(&merged)["inputSchema"]["required"], json!(["id", "name"]));
    assert_eq!(
        body(&merged, json!({"id": 1, "name": "n", "tags": []})),
        r#"{"name":"n","tags":[]}"#
    );
    let all = post(true, json!({"allOf": [plain, {"properties": {"more": {}}, "type": "object"}]}));
    assert_eq!(names(&all), "id more name tags");
    for other in [
        json!({"properties": {"id": {}}}),
        json!({"properties": {"a": {}}, "additionalProperties": true}),
        json!({"properties": {"a b": {}}}),
        json!({"oneOf": [plain, plain]}),
        json!({"type": "array", "items": {}}),
        json!({}),
    ] {
        assert_eq!(names(&post(true, other)), "body id");
    }
    // What is needed within a body that is not.
    let optional = post(false, plain);
    assert_eq!(names(&optional), "body id");
    assert_eq!(body(&optional, json!({"id": 1})), "");
    assert_eq!(body(&optional, json!({"id": 1, "body": {"name": "n"}})), r#"{"name":"n"}"#);
    let why = asked(&merged, json!({"id": 1, "nam": "n"})).err().unwrap();
    assert_eq!(why, "there is no argument nam; there are: id, name, tags");
}

#[test]
fn arguments_of_one_name_have_two() {
    let one = only(json!({"/a/{id}": {
        "parameters": [parameter("id", "path", json!({})), parameter("id", "query", json!({}))],
        "get": {"parameters": [parameter("filter[x]", "query", json!({})), parameter("Authorization", "header", json!({}))]},
    }}));
    let properties = tool(&one)["inputSchema"]["properties"].clone();
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    assert_eq!(names, ["filter_x", "id", "id_query"]);
    let address = address(&one, json!({"id": "a/b", "id_query": "é&", "filter_x": 1}));
    assert_eq!(address, "https://api.example/v1/a/a%2Fb?filter%5Bx%5D=1&id=%C3%A9%26");
}

#[test]
fn parameters_are_written_in_their_style() {
    for (more, value, wanted) in [
        (json!({}), json!(["a", "b c"]), "p=a&p=b%20c"),
        (json!({"explode": false}), json!(["a", 2]), "p=a%2C2"),
        (json!({"style": "pipeDelimited", "explode": false}), json!(["a", "b"]), "p=a%7Cb"),
        (json!({"style": "spaceDelimited", "explode": false}), json!(["a", "b"]), "p=a%20b"),
        (
            json!({"style": "deepObject"}),
            json!({"gte": 1, "in": ["x"]}),
            "p%5Bgte%5D=1&p%5Bin%5D%5B%5D=x",
        ),
        (json!({"style": "deepObject"}), json!([{"a": 1}]), "p%5B0%5D%5Ba%5D=1"),
        (json!({}), json!({"k": "v"}), "k=v"),
        (
            json!({"content": {"application/json": {"schema": {}}}}),
            json!({"k": [1]}),
            "p=%7B%22k%22%3A%5B1%5D%7D",
        ),
        (json!({}), json!(true), "p=true"),
    ] {
        let one = only(json!({"/a": {"get": {"parameters": [parameter("p", "query", more)]}}}));
        assert_eq!(address(&one, json!({"p": value})), format!("{BASE}/a?{wanted}"));
    }
    let path =
        only(json!({"/a/{p}": {"get": {"parameters": [parameter("p", "path", json!({}))]}}}));
    assert_eq!(address(&path, json!({"p": ["x/y", "z"]})), format!("{BASE}/a/x%2Fy,z"));
    let deeper = asked(&path, json!({"p": [["x"]]})).err().unwrap();
    assert!(deeper.contains("within another"), "{deeper}");
    let far = (0..12).fold(json!("x"), |inner, _| json!({"k": inner}));
    let query = parameter("p", "query", json!({"style": "deepObject"}));
    let query = only(json!({"/a": {"get": {"parameters": [query]}}}));
    let refused = asked(&query, json!({"p": far})).err().unwrap();
    assert!(refused.contains("levels deep"), "{refused}");
    let matrix = found(&with(
        json!({"/a/{p}": {"get": {"parameters": [parameter("p", "path", json!({"style": "matrix"}))]},
        "put": {}}}),
    ));
    assert_eq!(matrix.1[0].1, "its parameter p has the style matrix");
}

#[test]
fn no_argument_leads_elsewhere() {
    let one = only(json!({"/users/{name}/keys": {"get": {"parameters": [
        parameter("name", "path", json!({})), parameter("X-Trace", "header", json!({})),
        parameter("sid", "cookie", json!({})),
    ]}}}));
    for (name, wanted) in
        [("../admin", "..%2Fadmin"), ("a?b#c", "a%3Fb%23c"), ("%2e%2e", "%252e%252e")]
    {
        assert_eq!(address(&one, json!({"name": name})), format!("{BASE}/users/{wanted}/keys"));
    }
    for (arguments, why) in [
        (json!({"name": ".."}), "leads elsewhere"),
        (json!({"name": "."}), "leads elsewhere"),
        (json!({"name": ""}), "is empty"),
        (json!({}), "the argument name is needed"),
        (
            json!({"name": "a", "X-Trace": "a\r\nHost: evil"}),
            "X-Trace has a character that a header cannot have",
        ),
    ] {
        let said = asked(&one, arguments).err().unwrap();
        assert!(said.contains(why), "{said}");
    }
    let cookie = asked(&one, json!({"name": "a", "sid": "x; admin=1"})).unwrap();
    assert_eq!(cookie.headers["cookie"], "sid=x%3B%20admin%3D1");
}

#[test]
fn forms_and_texts_are_bodies_too_and_files_are_not() {
    let post = |content: Value| {
        found(&with(
            json!({"/a": {"post": {"requestBody": {"required": true, "content": content}}, "get": {}}}),
        ))
    };
    let schema = json!({"properties": {"a": {}, "list": {}, "card": {}, "expand": {}}});
    let form = post(json!({"application/x-www-form-urlencoded": {
        "schema": schema, "encoding": {"expand": {"style": "deepObject"}}}}));
    let form = form.0.iter().find(|it| it.name == "post_a").unwrap();
    let written =
        body(form, json!({"a": "x y", "list": [1, 2], "card": {"no": 1}, "expand": ["q"]}));
    assert_eq!(written, "a=x%20y&card%5Bno%5D=1&expand%5B%5D=q&list=1&list=2");
    let text = post(json!({"text/plain": {"schema": {"type": "string"}}}));
    let text = text.0.iter().find(|it| it.name == "post_a").unwrap();
    assert_eq!(body(text, json!({"body": "as it is"})), "as it is");
    let both = post(
        json!({"text/plain": {}, "multipart/form-data": {}, "application/json": {"schema": schema}}),
    );
    assert_eq!(
        both.0.iter().find(|it| it.name == "post_a").unwrap().body.as_ref().unwrap().media,
        "application/json"
    );
    let file = post(json!({"multipart/form-data": {"schema": schema}}));
    assert_eq!(file.1, [("post_a".to_owned(), "its body is multipart/form-data".to_owned())]);
    assert_eq!(file.0.len(), 1, "the others stay");
}

#[test]
fn swagger_2_is_read() {
    let description = json!({
        "swagger": "2.0", "host": "old.example", "basePath": "/api", "schemes": ["http", "https"],
        "securityDefinitions": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}},
        "definitions": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
        "paths": {
            "/pets": {"post": {"operationId": "addPet", "parameters": [
                {"in": "body", "name": "pet", "required": true, "schema": {"$ref": "#/definitions/Pet"}}]}},
            "/find": {"get": {"operationId": "find", "parameters": [
                {"in": "query", "name": "tags", "type": "array", "items": {"type": "string"}, "collectionFormat": "multi"},
                {"in": "query", "name": "ids", "type": "array", "items": {"type": "integer"}},
                {"in": "query", "name": "api_key", "type": "string"}]}},
            "/form": {"post": {"operationId": "form", "consumes": ["application/x-www-form-urlencoded"], "parameters": [
                {"in": "formData", "name": "a", "type": "string", "required": true}]}},
            "/upload": {"post": {"operationId": "upload", "parameters": [{"in": "formData", "name": "f", "type": "file"}]}},
        },
    });
    let mut own = api("pets.json");
    own.auth.insert(String::new(), "s3cret".to_owned());
    let (found, base, access) =
        load::made(&own, "pets", description.to_string().as_bytes()).unwrap();
    assert_eq!(base.as_str(), "https://old.example/api");
    let one = |name: &str| found.0.iter().find(|it| it.name == name).unwrap();
    let prepared =
        |name: &str, arguments: Value| prepare(one(name), &base, &map(arguments)).unwrap();
    assert_eq!(prepared("addPet", json!({"name": "Rex"})).body, br#"{"name":"Rex"}"#);
    let address = prepared("find", json!({"tags": ["a", "b"], "ids": [1, 2]})).address;
    assert_eq!(address.as_str(), "https://old.example/api/find?tags=a&tags=b&ids=1%2C2");
    assert_eq!(access.query, [("api_key".to_owned(), "s3cret".to_owned())]);
    assert_eq!(
        tool(one("find"))["inputSchema"]["properties"]["ids"]["items"],
        json!({"type": "integer"})
    );
    assert_eq!(prepared("form", json!({"a": "b&c"})).body, b"a=b%26c");
    assert_eq!(found.1.len(), 1);
}

#[test]
fn secrets_go_where_the_description_wants_them() {
    let access = |schemes: Value, security: Value, auth: &[(&str, &str)]| {
        let mut description = with(json!({}));
        description["components"] = json!({"securitySchemes": schemes});
        description["security"] = security;
        let mut own = api("a.json");
        own.auth =
            auth.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Access::new(&own, &document(&description))
    };
    let header = |access: &Access, name: &str| access.headers[name].to_str().unwrap().to_owned();
    let schemes = json!({
        "bearer": {"type": "http", "scheme": "Bearer"}, "basic": {"type": "http", "scheme": "basic"},
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"}, "jar": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "digest": {"type": "http", "scheme": "digest"},
    });
    let one = |name: &str, secret: &str| access(schemes.clone(), json!([]), &[(name, secret)]);
    assert_eq!(header(&one("bearer", "t").unwrap(), "authorization"), "Bearer t");
    assert_eq!(header(&one("basic", "u:p").unwrap(), "authorization"), "Basic dTpw");
    assert_eq!(header(&one("key", "k").unwrap(), "x-key"), "k");
    assert_eq!(header(&one("jar", "c").unwrap(), "cookie"), "sid=c");
    let why = |result: Result<Access, String>| result.err().unwrap();
    assert!(why(one("digest", "u:p")).contains("a kind that is not known"));
    assert!(why(one("none", "u:p")).contains("basic, bearer, digest, jar, key"));
    assert!(
        why(one("key", "line\nbreak-s3cret")).ends_with("the value of header X-Key cannot be sent")
    );
    // A text is for the only one, or the only one that all operations take.
    let chosen = access(schemes.clone(), json!([{"key": []}]), &[("", "k")]).unwrap();
    assert_eq!(header(&chosen, "x-key"), "k");
    assert!(why(access(schemes, json!([]), &[("", "k")])).contains("auth is one text"));
    assert!(why(access(json!({}), json!([]), &[("", "k")])).contains("under headers"));
}

#[test]
fn the_api_is_where_the_description_or_the_entry_says() {
    let made = |from: &str, url: Option<&str>, servers: Value, header: bool| {
        let mut description = with(
            json!({"/a": {"get": {}}, "/b": {"get": {"servers": [{"url": "https://files.example"}]}}}),
        );
        description["servers"] = servers;
        let mut own = api(from);
        own.url = url.map(str::to_owned);
        if header {
            own.headers.insert("X-Key".into(), "s3cret".into());
        }
        let (found, base, _) = load::made(&own, "a", description.to_string().as_bytes())?;
        assert_eq!(found.1[0].1, "it is at another address, https://files.example/");
        Ok::<_, String>(base.to_string())
    };
    let there =
        json!([{"url": "https://{region}.example/v2", "variables": {"region": {"default": "eu"}}}]);
    assert_eq!(made("a.json", None, there.clone(), true).unwrap(), "https://eu.example/v2");
    let remote = "https://docs.example/openapi.json";
    assert_eq!(
        made(remote, None, json!([{"url": "/v3"}]), true).unwrap(),
        "https://docs.example/v3"
    );
    assert_eq!(made(remote, None, json!(null), false).unwrap(), "https://docs.example/");
    assert_eq!(made(remote, None, there.clone(), false).unwrap(), "https://eu.example/v2");
    // Secrets go where the entry says, and not where a page on another machine does.
    let why = made(remote, None, there.clone(), true).unwrap_err();
    assert!(
        why.contains(r#"write "url": "https://eu.example/v2""#) && !why.contains("s3cret"),
        "{why}"
    );
    assert_eq!(
        made(remote, Some("https://mine.example"), there, true).unwrap(),
        "https://mine.example/"
    );
    for (servers, why) in [
        (json!([]), "does not say where its API is"),
        (json!([{"url": "/v1"}]), "write \"url\""),
        (json!([{"url": "https://{host}/v1"}]), "write \"url\""),
        (json!([{"url": "ftp://a.example"}]), "http or https"),
        (json!([{"url": "https://a:b@c.example"}]), "holds a name or a password"),
    ] {
        let said = made("a.json", None, servers, false).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn yaml_is_read_with_its_numbers_and_dates() {
    let text = "openapi: 3.0.1\ninfo: {version: 1.0, x: 2024-01-01}\nservers: [{url: 'https://y.example'}]\npaths:\n  /a:\n    \
        get:\n      operationId: list\n      deprecated: yes\n      responses: {200: {description: ok}, default: {}}\n";
    let (found, ..) = load::made(&api("a.yaml"), "a", text.as_bytes()).unwrap();
    assert_eq!(found.0[0].name, "list");
    for (bad, why) in [
        ("{\"openapi\": \"3.0\",", "not JSON: EOF"),
        ("a: [1", "neither JSON nor YAML"),
        ("a: 1", "is neither \"openapi\" nor \"swagger\""),
        ("<html></html>", "not a description of OpenAPI"),
        ("openapi: 3.0.0", "it does not say where its API is"),
        ("openapi: 3.0.0\nservers: [{url: 'https://a.example'}]", "no paths"),
        (
            "openapi: 3.0.0\nservers: [{url: 'https://a.example'}]\npaths: {}",
            "it has no operations",
        ),
    ] {
        let said = load::made(&api("a.yaml"), "a", bad.as_bytes()).err().unwrap();
        assert!(said.contains(why), "{bad}: {said}");
    }
}

#[test]
fn wrong_types_cost_what_has_them() {
    let odd = json!([null, true, 1, "x", [], {}, [null], {"$ref": 1}, {"$ref": "#/nowhere"}]);
    let mut paths = Map::new();
    for (at, odd) in odd.as_array().unwrap().iter().enumerate() {
        paths.insert(format!("/item/{at}"), odd.clone());
        for key in [
            "operationId",
            "summary",
            "parameters",
            "requestBody",
            "servers",
            "deprecated",
            "description",
        ] {
            paths.insert(format!("/{key}/{at}"), json!({"get": {key: odd}, "parameters": odd}));
        }
        let mut schema = map(json!({"type": "object", "properties": {"a": odd}, "items": odd}));
        for key in [
            "type", "enum", "required", "allOf", "minimum", "nullable", "format", "pattern",
            "default",
        ] {
            schema.insert(key.into(), odd.clone());
            let parameter =
                parameter("p", "query", json!({"schema": schema, "style": odd, "explode": odd}));
            let body = json!({"content": {"application/json": {"schema": schema, "encoding": odd}}, "required": odd});
            paths.insert(
                format!("/{key}/s/{at}"),
                json!({"post": {"parameters": [parameter, odd], "requestBody": body}}),
            );
        }
    }
    paths.insert("/good".into(), json!({"get": {"operationId": "good"}}));
    let found = found(&with(paths.into()));
    assert!(found.0.iter().any(|it| it.name == "good"));
    assert!(found.0.len() > 40, "{}", found.0.len());
    for operation in &found.0 {
        assert_eq!(tool(operation)["inputSchema"]["type"], "object");
        let _ = asked(operation, json!({}));
    }
}

#[test]
fn ten_thousand_operations_are_read_and_no_more_than_the_bound() {
    let of = |count: usize| {
        let paths = (0..count).map(|n| (format!("/r{n}/{{id}}"), json!({"get": {
            "summary": "Gets one", "parameters": [parameter("id", "path", json!({"schema": {"type": "string"}}))]}})));
        with(paths.collect::<Map<_, _>>().into())
    };
    let begun = Instant::now();
    assert_eq!(found(&of(10_000)).0.len(), 10_000);
    assert!(begun.elapsed().as_secs() < 30);
    // The same name again and again.
    let same = (0..3_000).map(|n| (format!("/r{n}"), json!({"get": {"operationId": "same"}})));
    assert_eq!(found(&with(same.collect::<Map<_, _>>().into())).0.len(), 3_000);
    let many = found(&of(20_003));
    assert_eq!((many.0.len(), many.1.len()), (20_000, 3));
}

/// A server that gives each answer to one connection, and tells what it was asked.
async fn server(answers: Vec<Vec<u8>>) -> (String, tokio::task::JoinHandle<Vec<String>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (mut text, mut bytes) = (String::new(), [0; 4_096]);
            while !text.contains("\r\n\r\n") {
                let count = stream.read(&mut bytes).await.unwrap();
                text.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
            asked.push(text);
            let _ = stream.write_all(&answer).await;
            let _ = stream.shutdown().await;
        }
        asked
    });
    (base, task)
}

fn http(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn client() -> Client {
    let mut secrets = Secrets::default();
    secrets.add("s3cret-token");
    Client { name: "a".into(), agent: "weir/test", tls: Tls::default(), secrets }
}

async fn served(
    paths: Value,
    answers: Vec<Vec<u8>>,
) -> (ApiServer, tokio::task::JoinHandle<Vec<String>>, tempfile::NamedTempFile) {
    let (base, task) = server(answers).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut description = with(paths);
    description["servers"] = json!([{"url": base}]);
    std::fs::write(file.path(), description.to_string()).unwrap();
    let mut own = api(file.path().to_str().unwrap());
    own.headers.insert("X-Key".into(), "s3cret-token".into());
    (ApiServer::new(own, client()), task, file)
}

async fn result(server: &ApiServer, name: &str, arguments: Value) -> Value {
    let called = server
        .answered(Method::CallTool, &Json::of(&json!({"name": name, "arguments": arguments})))
        .await;
    called.unwrap().read().unwrap()
}

#[tokio::test]
async fn answers_are_results_and_refusals_are_told() {
    let other = "Location: http://other.example/x\r\n";
    let answers = vec![
        http("200 OK", "Content-Type: application/json\r\n", b"{\"a\":1}"),
        http(
            "404 Not Found",
            "Content-Type: application/json\r\n",
            b"{\"message\":\"no s3cret-token\"}",
        ),
        http("302 Found", "Location: /moved\r\n", b""),
        http("200 OK", "Content-Type: text/plain\r\n", b"moved"),
        http("302 Found", other, b""),
        http("204 No Content", "", b""),
        http("200 OK", "Content-Type: image/png\r\n", b"\x89PNG\0"),
        http("200 OK", "Content-Type: application/zip\r\n", b"PK\0\xff"),
        http(
            "200 OK",
            "Link: </a?after=x%3D&n=1>; rel=\"next\", </a?page=9>; rel=\"last\"\r\nContent-Type: application/json\r\n",
            b"[1]",
        ),
        http(
            "200 OK",
            "Link: </a?page=2>; rel=\"next\"\r\nContent-Type: application/json\r\n",
            b"[1]",
        ),
        http("429 Too Many Requests", "Retry-After: 7\r\n", b""),
        http("401 Unauthorized", "", b""),
    ];
    let parameters = ["after", "page", "n"].map(|name| parameter(name, "query", json!({})));
    let (server, task, _file) =
        served(json!({"/a": {"get": {"parameters": parameters}}}), answers).await;
    let ask = async || result(&server, "get_a", json!({})).await;
    assert_eq!(ask().await["content"], json!([{"type": "text", "text": "{\"a\":1}"}]));
    let refused = ask().await;
    assert_eq!(refused["isError"], true);
    let said = refused["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        said,
        "the API answered with HTTP 404 Not Found, and says:\n{\"message\":\"no ***\"}."
    );
    assert_eq!(ask().await["content"][0]["text"], "moved");
    let elsewhere = ask().await["content"][0]["text"].to_string();
    assert!(elsewhere.contains("another machine, http://other.example"), "{elsewhere}");
    assert_eq!(ask().await["content"][0]["text"], "HTTP 204 No Content, without a body");
    assert_eq!(
        ask().await["content"][0],
        json!({"type": "image", "mimeType": "image/png", "data": "iVBORwA="})
    );
    assert_eq!(ask().await["content"][0]["resource"]["mimeType"], "application/zip");
    let page = ask().await;
    assert_eq!(
        page["content"][1]["text"],
        "[weir: the next page has the arguments {\"after\":\"x=\",\"n\":\"1\"}]"
    );
    assert_eq!(
        ask().await["content"].as_array().unwrap().len(),
        1,
        "a page that is counted goes on by itself"
    );
    assert!(ask().await["content"][0]["text"].as_str().unwrap().contains("again after 7"));
    assert!(
        ask().await["content"][0]["text"].as_str().unwrap().contains("does not take the secrets")
    );
    let asked = task.await.unwrap();
    assert!(asked.iter().all(|it| it.contains("x-key: s3cret-token")), "{asked:?}");
    assert!(asked[3].starts_with("GET /moved "), "{}", asked[3]);
}

#[tokio::test]
async fn a_description_is_fetched_without_secrets_and_listed_in_pages() {
    let paths: Map<String, Value> =
        (0..501).map(|n| (format!("/r{n:03}"), json!({"get": {}}))).collect();
    let text = with(paths.into()).to_string();
    let (base, task) = server(vec![
        http("403 Forbidden", "", b""),
        http("301 Moved", "Location: /b.json\r\n", b""),
        http("200 OK", "", text.as_bytes()),
    ])
    .await;
    let mut own = api(&format!("{base}/a.json"));
    own.headers.insert("X-Key".into(), "s3cret-token".into());
    let server = ApiServer::new(own, client());
    let refused = server.answered(Method::ListTools, &Json::empty()).await.unwrap_err().to_string();
    assert!(refused.contains("403") && refused.contains("name the file"), "{refused}");
    let first: Value =
        server.answered(Method::ListTools, &Json::empty()).await.unwrap().read().unwrap();
    assert_eq!(
        (first["tools"].as_array().unwrap().len(), &first["nextCursor"]),
        (500, &json!("500"))
    );
    let rest =
        server.answered(Method::ListTools, &Json::of(&json!({"cursor": "500"}))).await.unwrap();
    assert_eq!(rest.items(&["tools"]).len(), 1);
    assert!(rest.get(&["nextCursor"]).is_none());
    assert!(task.await.unwrap().iter().all(|it| !it.contains("s3cret")));
}

#[tokio::test]
async fn a_description_that_is_not_there_says_so() {
    let server = ApiServer::new(api("/no/such/file.json"), client());
    let why = server.answered(Method::ListTools, &Json::empty()).await.unwrap_err().to_string();
    assert!(
        why.contains("the description /no/such/file.json cannot be read: No such file"),
        "{why}"
    );
}
