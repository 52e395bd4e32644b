#!/usr/bin/env bash
# fastmcp 4.2.3 (PyPI, with mcp 2.3.0): the names of tools that FastMCP.from_openapi makes of operations with an operationId.
# Behaviour: an operationId is not the tool's name. What stands behind a double underscore is thrown away, so get__user and get__order, as generators
# write it, are get and get_2. A long one is cut at 56 characters, though clients take 64 or 128, and where that makes two equal the second gets _2: which
# of them is which depends on the order of the document. A dot or a hyphen is an underscore, so get.x and get-x are get_x and get_x_2. The
# description of an operation without one is its method and path, which is then all that tells them apart.
# Seen:   get__user: get / get__order: get_2 / list_all_..._archived, ..._deleted: 56 characters, and the same with _2 / get.x get-x: get_x get_x_2
# Expected by most: the operationId, or an error where it cannot be a name.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check fastmcp==4.2.3 mcp==2.3.0
cat > run.py <<'PY'
import asyncio
import importlib.metadata
import fastmcp
import httpx2

print(*(name + ' ' + importlib.metadata.version(name) for name in ('fastmcp', 'mcp')))
long = 'list_all_the_repositories_of_one_organisation_that_are_to_be_'
ids = ['get__user', 'get__order', long + 'archived', long + 'deleted', 'get.x', 'get-x']
paths = {f'/{number}': {'get': {'operationId': name, 'responses': {'200': {'description': 'done'}}}} for number, name in enumerate(ids)}
document = {'openapi': '3.1.0', 'info': {'title': 'names', 'version': '1'}, 'paths': paths}


async def main():
    web = httpx2.AsyncClient(base_url='http://x.example')
    async with fastmcp.Client(fastmcp.FastMCP.from_openapi(document, client=web)) as client:
        for name, tool in zip(ids, await client.list_tools()):
            print(f'{name}: {tool.name} ({tool.description})')


asyncio.run(main())
PY
env/bin/python run.py 2> log | tee out || { cat log; exit 1; }
tail -n +2 out | diff - <(cat <<'END'
get__user: get (Executes GET /0)
get__order: get_2 (Executes GET /1)
list_all_the_repositories_of_one_organisation_that_are_to_be_archived: list_all_the_repositories_of_one_organisation_that_are_t (Executes GET /2)
list_all_the_repositories_of_one_organisation_that_are_to_be_deleted: list_all_the_repositories_of_one_organisation_that_are_t_2 (Executes GET /3)
get.x: get_x (Executes GET /4)
get-x: get_x_2 (Executes GET /5)
END
)
