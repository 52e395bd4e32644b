#!/usr/bin/env python3
"""Renders the chart with Helm's own engine and compares it, the Compose file and an image with published schemas.

    python3 deploy/check.py [compose-spec.json [IMAGE.oci.tar image-spec/schema]]

See README.md for what has to be installed. Exit code 1 where something does not conform.
"""

import io
import json
import pathlib
import sys
import tarfile

import helm_python.chart as helm
import jsonschema
import kubernetes_validate
import referencing
import yaml
from referencing.jsonschema import DRAFT4

HERE = pathlib.Path(__file__).parent
KUBERNETES = ["1.30", "1.34"]

# Each branch of the templates at least once.
VALUES = {
    "as it is": {},
    "everything": {
        "bucket": "s3://bucket/prefix",
        "config": "ttl_days = 7\nlimit_chars = 4000",
        "servers": {"mcpServers": {"a": {"url": "https://a.example/\"mcp\""}}, "weir": {"key": "${WEIR_KEY}"}},
        "secrets": ["one", "two"],
        "environment": {"AWS_REGION": "eu-west-1", "NUMBER": 1},
        "flags": ["--allow-origin=https://a.example"],
        "state": {"existingClaim": "claim"},
        "serviceAccount": "weir",
        "automountServiceAccountToken": True,
        "imagePullSecrets": [{"name": "registry"}],
        "service": {"type": "LoadBalancer", "port": 443, "annotations": {"a": "b"}},
        "autoscaling": {"enabled": True},
        "networkPolicy": {"from": [{"namespaceSelector": {}}]},
        "podAnnotations": {"a": "b"},
        "nodeSelector": {"a": "b"},
        "tolerations": [{"operator": "Exists"}],
        "affinity": {"nodeAffinity": {}},
    },
    "nothing beside it": {
        "podDisruptionBudget": {"enabled": False},
        "networkPolicy": {"enabled": False},
        "secrets": [],
    },
}


def documents(values):
    files = helm.Chart.load(HERE / "helm/weir").render(values=values, name="weir", namespace="team")
    found = [document for file in files.values() for document in yaml.safe_load_all(file)]
    return [document for document in found if document]


def expect(condition, what):
    if not condition:
        raise SystemExit(f"not as it should be: {what}")


def chart():
    report = helm.lint(HERE / "helm/weir", strict=True, quiet=True)
    expect(not report["errors"], report)
    for name, values in VALUES.items():
        found = documents(values)
        kinds = {document["kind"]: document for document in found}
        for document in found:
            for version in KUBERNETES:
                kubernetes_validate.validate(document, version, strict=True)
        print(f"{name}: {', '.join(sorted(kinds))}")
        expect({"ConfigMap", "Deployment", "Service"} <= kinds.keys(), name)
        data = kinds["ConfigMap"]["data"]
        expect(json.loads(data["servers.json"])["weir"]["key"] == "${WEIR_KEY}", "the file of servers")
        if name == "everything":
            expect(len(found) == 6, "every object is there")
            expect(data["config.toml"].splitlines()[0] == 'tier = "s3://bucket/prefix"', "the bucket")
            expect("limit_chars = 4000" in data["config.toml"], "the configuration")
            expect("replicas" not in kinds["Deployment"]["spec"], "the autoscaler says how many there are")
        pod = kinds["Deployment"]["spec"]["template"]["spec"]
        expect(pod["securityContext"]["runAsNonRoot"] is True, "it is not run by root")
        expect("value" not in json.dumps(pod["containers"][0].get("envFrom", [])), "secrets by reference")


def compose(schema):
    file = yaml.safe_load((HERE / "compose/compose.yaml").read_text())
    jsonschema.validate(file, json.loads(pathlib.Path(schema).read_text()))
    for service in file["services"].values():
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            expect(not source.startswith("./") or (HERE / "compose" / source).is_file(), source)
    print(f"compose: {', '.join(sorted(file['services']))}")


def image(file, folder):
    schemas = {path.name: json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.json")}

    # They name each other by file, below addresses that hold none.
    def retrieve(address):
        schema = schemas[address.rsplit("/", 1)[1]]
        return referencing.Resource.from_contents(schema, default_specification=DRAFT4)

    known = referencing.Registry(retrieve=retrieve)
    with tarfile.open(file) as tar:
        files = {member.name: tar.extractfile(member).read() for member in tar if member.isfile()}

    def check(text, schema):
        value = json.loads(text)
        jsonschema.Draft4Validator(schemas[schema], registry=known).validate(value)
        return value

    def blob(descriptor):
        return files["blobs/" + descriptor["digest"].replace(":", "/")]

    check(files["oci-layout"], "image-layout-schema.json")
    for descriptor in check(files["index.json"], "image-index-schema.json")["manifests"]:
        manifest = check(blob(descriptor), "image-manifest-schema.json")
        if "artifactType" not in manifest:
            config = check(blob(manifest["config"]), "config-schema.json")
            with tarfile.open(fileobj=io.BytesIO(blob(manifest["layers"][0]))) as layer:
                members = {member.name: member for member in layer}
            expect(members["data"].uid == int(config["config"]["User"].split(":")[0]), "its folder is its user's")
            expect(members["tmp"].mode == 0o1777, "a place for files on their way")
            print(f"image: {config['architecture']}, {len(members)} files and folders")


chart()
if len(sys.argv) > 1:
    compose(sys.argv[1])
if len(sys.argv) > 3:
    image(*sys.argv[2:])
