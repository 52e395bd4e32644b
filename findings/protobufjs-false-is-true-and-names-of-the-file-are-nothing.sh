#!/usr/bin/env bash
# protobufjs 8.8.1 (npm), fromObject, which makes a message of JSON; protobuf 7.36.2 (PyPI), the official library for Python, reads the same JSON beside it.
# Behaviour: the names of the .proto file (user_name) are not known, only userName; a member with such a name is dropped, so that the message is empty. What the official library refuses is
# converted: the texts "false" and "no" are true, 3000000000 in an int32 is -1294967296, 1.7 is 1, an id with a comma is what stands before it, an id that is no number is nothing,
# and a word that is no value of the enum is the first value. In a list a text that is no number is 0.
# Seen:   {"user_name":"u"}: {} / {"q":"false"}: {"q":true} / {"o":3000000000}: {"o":-1294967296} / {"id":"1,000"}: {"id":"1"} / {"e":"NOPE"}: {}
# Most would guess: both spellings of a name are read, as the rules of JSON for protobuf say, and values of another type are errors.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund protobufjs@8.8.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check protobuf==7.36.2
cat > inputs <<'END'
{"user_name":"u"}
{"userName":"u"}
{"q":"false"}
{"q":"no"}
{"o":3000000000}
{"o":1.7}
{"id":"1,000"}
{"id":"abc"}
{"e":"NOPE"}
{"e":"B"}
{"l":[1,"2","x"]}
END
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
const { root } = protobuf.parse(`syntax = "proto3"; enum E { A = 0; B = 1; }
  message M { int64 id = 1; E e = 2; int32 o = 3; string user_name = 4; repeated int32 l = 5; bool q = 6; }`);
const M = root.lookupType('M');
for (const line of readFileSync('inputs', 'utf8').trim().split('\n')) {
  const bytes = M.encode(M.fromObject(JSON.parse(line))).finish();
  console.log(`protobufjs ${line}: ${JSON.stringify(M.decode(bytes))}`);
}
JS
cat > run.py <<'PY'
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

file = descriptor_pb2.FileDescriptorProto(name='m.proto', syntax='proto3')
enum = file.enum_type.add(name='E')
enum.value.add(name='A', number=0)
enum.value.add(name='B', number=1)
message = file.message_type.add(name='M')
F = descriptor_pb2.FieldDescriptorProto
for number, (name, kind) in enumerate([('id', F.TYPE_INT64), ('e', F.TYPE_ENUM), ('o', F.TYPE_INT32), ('user_name', F.TYPE_STRING), ('l', F.TYPE_INT32), ('q', F.TYPE_BOOL)], 1):
    field = message.field.add(name=name, number=number, type=kind, label=F.LABEL_REPEATED if name == 'l' else F.LABEL_OPTIONAL)
    if name == 'e':
        field.type_name = '.E'
pool = descriptor_pool.DescriptorPool()
pool.Add(file)
M = message_factory.GetMessageClass(pool.FindMessageTypeByName('M'))
for line in open('inputs').read().split():
    try:
        print(f'protobuf {line}:', json_format.MessageToJson(json_format.Parse(line, M()), indent=None))
    except json_format.ParseError:
        print(f'protobuf {line}: refused')
PY
echo "protobufjs $(node -p "JSON.parse(require('fs').readFileSync('node_modules/protobufjs/package.json')).version"), protobuf $(env/bin/python -c 'import google.protobuf as p; print(p.__version__)')"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
protobufjs {"user_name":"u"}: {}
protobufjs {"userName":"u"}: {"userName":"u"}
protobufjs {"q":"false"}: {"q":true}
protobufjs {"q":"no"}: {"q":true}
protobufjs {"o":3000000000}: {"o":-1294967296}
protobufjs {"o":1.7}: {"o":1}
protobufjs {"id":"1,000"}: {"id":"1"}
protobufjs {"id":"abc"}: {}
protobufjs {"e":"NOPE"}: {}
protobufjs {"e":"B"}: {"e":"B"}
protobufjs {"l":[1,"2","x"]}: {"l":[1,2,0]}
protobuf {"user_name":"u"}: {"userName": "u"}
protobuf {"userName":"u"}: {"userName": "u"}
protobuf {"q":"false"}: refused
protobuf {"q":"no"}: refused
protobuf {"o":3000000000}: refused
protobuf {"o":1.7}: refused
protobuf {"id":"1,000"}: refused
protobuf {"id":"abc"}: refused
protobuf {"e":"NOPE"}: refused
protobuf {"e":"B"}: {"e": "B"}
protobuf {"l":[1,"2","x"]}: refused
END
