"""The newest Python client before weir-middleware.wasm, as tests/middleware.sh serves it."""

import asyncio
import re
import sys

from mcp import Client


def text(result):
    return "\n".join(block.text for block in result.content if block.type == "text")


def identifier(excerpt):
    return re.search(r"; id=([0-9a-f-]+)\]", excerpt)[1]


async def large(client):
    """A large result is an excerpt, and is read back by its whole id alone."""
    excerpt = text(await client.call_tool("log", {"lines": 250_000}))
    assert "NOT the full output" in excerpt and len(excerpt) < 8000, excerpt
    whole = identifier(excerpt)
    for arguments, found in [
        ({"mode": "range", "start": 5000, "count": 1}, "5000: all is well"),
        ({"mode": "grep", "pattern": "error:"}, "4321: error: disk is full"),
        ({"query": 'select(test("full"))'}, "4321: error: disk is full"),
    ]:
        read = text(await client.call_tool("weir_fetch", {"id": whole, **arguments}))
        assert found in read, read
        other = text(await client.call_tool("weir_fetch", {"id": whole.split("-")[0], **arguments}))
        assert found not in other, other
    # A page of more than 4,096 bytes.
    page = text(await client.call_tool("weir_fetch", {"id": whole, "mode": "range", "count": 400}))
    assert "399: all is well" in page, page
    return whole


async def main(port=None):
    if port:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            await large(client)
        return
    async with Client("http://127.0.0.1:18081/mcp") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert len(names) == 12 and names[-1] == "weir_fetch", names
        whole = await large(client)
        rows = await client.call_tool("rows", {"lines": 2000})
        assert "NOT the full output" in text(rows) and rows.structured_content is None, rows
        picture = await client.call_tool("picture", {"lines": 9000})
        assert picture.content[0].type == "image" and "NOT the full" in text(picture), picture
        streamed = text(await client.call_tool("stream", {"lines": 9000}))
        assert "stored whole" in streamed, streamed
        broken = text(await client.call_tool("break", {"lines": 9000}))
        assert "broke off" in broken, broken
        wrong = await client.call_tool("wrong", {"text": "it went wrong"})
        assert wrong.is_error and text(wrong) == "it went wrong", wrong
        try:
            await client.call_tool("fail", {"text": "it broke"})
            raise AssertionError("an error is an error")
        except Exception as error:
            assert "it broke" in str(error), error
    async with Client("http://127.0.0.1:18081/mcp") as client:
        listed = text(await client.call_tool("weir_fetch", {"mode": "list"}))
        assert whole.split("-")[0] not in listed, listed
    async with Client("http://127.0.0.1:18082/mcp") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["tool_search", "tool_describe", "tool_call", "weir_fetch"], names
        found = text(await client.call_tool("tool_search", {"query": "things of kind 250"}))
        assert "count_250" in found, found
        called = await client.call_tool("tool_call", {"name": "count_250", "arguments": {"drawer": "top"}})
        assert text(called) == "count_250: top", called
    async with Client("http://127.0.0.1:18083/mcp") as client:
        result = text(await client.call_tool("log", {"lines": 9000}))
        assert len(result) > 160_000 and "not stored" in result, result[-300:]


asyncio.run(main(*sys.argv[1:]))
