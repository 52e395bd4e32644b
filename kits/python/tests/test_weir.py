from __future__ import annotations

import asyncio
import hashlib
import json
import os
import pickle
import subprocess
import sys
import threading
import time
import tomllib
import weakref
from pathlib import Path
from typing import Any, AsyncIterator, Callable

import pytest
import weir_wasm
from conftest import component
from weir_wasm import (
    AsyncWeir, BinaryPart, Class, ClosedError, ComponentError, Limits, LinkPart, Refused, SettingsError, StoreError, Trapped, Weir,
    WeirError, _engine,
)
from weir_wasm.adapters._results import Results


def stored(weir: Weir, text: str, session: str = "alice", tool: str = "read_log") -> str:
    return weir.transform(session, tool, text).handles[0].id


def test_a_large_text_becomes_an_excerpt_that_the_shown_tool_reads_back(weir: Weir, log: str) -> None:
    shown = weir.show("alice", "read_log", log)
    assert len(shown) <= 6000 and "4321" in shown
    [fetch] = weir.result_tools()
    assert fetch.name == "weir_fetch" and fetch.input_schema["type"] == "object"
    assert fetch.as_mcp()["inputSchema"] == fetch.as_openai()["function"]["parameters"] == fetch.input_schema
    id = weir.list_blobs("alice").entries[0].handle.id
    assert id in shown
    answer = weir.invoke("alice", "weir_fetch", {"id": id, "mode": "grep", "pattern": "error:"})
    assert "4321: error: disk is full" in answer.text and not answer.is_error
    assert weir.invoke("alice", "weir_fetch", "no JSON").is_error


def test_a_small_text_is_the_same_object(weir: Weir) -> None:
    assert weir.show("alice", "read_log", small := "all is well") is small
    unchanged = weir.transform("alice", "read_log", "small")
    assert (unchanged.replaced, unchanged.reason, unchanged.parts) == (False, "small", [])


def test_parts_keep_their_order_and_kinds(weir: Weir, log: str) -> None:
    image = BinaryPart(media_type="image/png", data="AAAA")
    link = LinkPart(uri="file:///a", name="a")
    parts = weir.transform("alice", "shot", [image, log, link]).parts
    assert parts[0] == image and parts[2] == link and isinstance(parts[1], str) and len(parts[1]) < len(log)


def test_an_mcp_result_keeps_its_other_members(weir: Weir, log: str) -> None:
    result = {"content": [{"type": "text", "text": log}], "isError": False, "_meta": {"cost": 1.5}}
    answer = weir.transform_mcp("alice", "read_log", result, server="files", arguments={"path": "/var/log/x"})
    assert answer.replaced and answer.result["_meta"] == {"cost": 1.5}
    assert answer.handles[0].source == "/var/log/x" and answer.handles[0].lines == 9000
    small = weir.transform_mcp("alice", "read_log", "not JSON")
    assert not small.replaced and small.result["content"][0]["text"] == "not JSON"


def test_every_byte_is_reached_page_after_page(weir: Weir, log: str) -> None:
    id = stored(weir, log)
    assert "".join(page.content for page in weir.pages("alice", id)) == log
    assert weir.read("alice", id, -1).content == "9000: all is well\n"
    assert weir.read_end("alice", id, 2).content.splitlines() == ["8999: all is well", "9000: all is well"]
    assert weir.stat("alice", id).handle.lines == 9000
    with pytest.raises(Refused) as refusal:
        weir.read_all("alice", id)
    assert refusal.value.code == "too-large" and refusal.value.total == len(log)


def test_questions_to_a_result(weir: Weir, log: str) -> None:
    id = stored(weir, log)
    page = weir.grep("alice", id, r"error: \w+", regex=True, before=1)
    assert [line.line for line in page.lines] == [4320, 4321] and page.complete
    assert weir.grep("alice", id, "all is well", count_only=True).matches == 8999
    rows = json.dumps([{"id": n, "kind": "a" if n % 2 else "b"} for n in range(2000)])
    table = stored(weir, rows, tool="rows")
    assert weir.query("alice", table, ".id", reduce="max").content.strip() == "1999"
    assert weir.outline("alice", table).total > 0
    found = weir.search("alice", "disk is full", id=id)
    assert found.passages[0].first_line <= 4321 <= found.passages[0].last_line
    newer = stored(weir, log.replace("9000: all is well", "9000: all is lost"))
    diff = weir.diff("alice", newer, older=id)
    assert "all is lost" in diff.content and diff.added >= 1


def test_refusals_have_a_code_and_survive_pickling(weir: Weir, log: str) -> None:
    id = stored(weir, log)
    for session, name, code in [("bob", id, "unknown"), ("alice", "x", "malformed-id"), ("alice", "0" * 12, "unknown")]:
        with pytest.raises(Refused) as refusal:
            weir.stat(session, name)
        assert refusal.value.code == code and refusal.value.message
        copy = pickle.loads(pickle.dumps(refusal.value))
        assert (copy.code, copy.message) == (code, refusal.value.message)
    with pytest.raises(Refused) as refusal:
        weir.transform("", "read_log", log)
    assert refusal.value.code == "bad-session"
    with pytest.raises(Refused) as refusal:
        weir.transform("alice", "read_log", [BinaryPart(media_type="application/x", data="?" * 40_000)])
    assert refusal.value.code == "bad-base64" and refusal.value.total == 0
    with pytest.raises(Refused) as refusal:
        weir.grep("alice", id, "(", regex=True)
    assert refusal.value.code == "invalid" and refusal.value.argument == "pattern"


def test_what_is_forgotten_is_gone_and_pins_hold(weir: Weir, log: str) -> None:
    id = stored(weir, log)
    weir.pin("alice", id)
    assert weir.stat("alice", id).pinned and weir.stat("alice", id).expires_at is None
    weir.pin("alice", id, False)
    assert not weir.forget("alice", id).held_elsewhere
    with pytest.raises(Refused) as refusal:
        weir.stat("alice", id)
    assert refusal.value.code == "gone" and refusal.value.gone is not None
    assert (refusal.value.gone.reason, refusal.value.gone.tool) == ("deleted", "read_log")


def test_text_that_is_not_unicode_is_stored_without_a_word(weir: Weir) -> None:
    id = stored(weir, "a\ud800b é\n" * 3000)
    assert weir.read("alice", id, 1, 1).content == "a\ufffdb é\n"


def test_an_intake_takes_a_stream_in_pieces_of_any_kind(weir: Weir) -> None:
    text = "".join(f"{n} größer €\n" for n in range(3000))
    data = text.encode()
    with weir.intake("alice", "curl") as intake:
        for at in range(0, len(data), 7):
            intake.write(data[at : at + 7])
        transformed = intake.finish()
    assert transformed.handles[0].bytes == len(data)
    assert "".join(page.content for page in weir.pages("alice", transformed.handles[0].id)) == text
    assert weir.transform_chunks("alice", "curl", ["sm", b"all"]).parts == ["small"]
    raw = weir.transform_chunks("alice", "curl", [b"\xff\xfe" + b"x" * 20_000])
    assert raw.handles[0].bytes == 20_002
    with pytest.raises(ValueError):
        intake.write("too late")
    used = weir.status().used_bytes
    with weir.intake("alice", "curl") as left:
        left.write(text)
    assert weir.status().used_bytes == used


def test_limits_by_class_stop_a_call_and_the_text_is_shown_as_it_came(tmp_path: Path, cache: Path, log: str) -> None:
    tight = Weir(tmp_path, cache=cache, limits=lambda kind, size: Limits(200_000, 5, 64 << 20))
    with pytest.raises(Trapped) as trap:
        tight.transform("alice", "read_log", log)
    assert trap.value.reason == "fuel" and trap.value.code == "trapped"
    assert tight.show("alice", "read_log", log) is log
    late = Weir(tmp_path, cache=cache, limits=lambda kind, size: Limits(10**15, -0.1, 512 << 20))
    with pytest.raises(Trapped) as trap:
        late.estimate_tokens("x")
    assert trap.value.reason == "deadline"
    small = Weir(tmp_path, cache=cache, limits=lambda kind, size: Limits(10**12, 60, 8 << 20))
    with pytest.raises(Trapped):
        small.transform("alice", "read_log", log * 40)
    assert Class.TRANSFORM.limits(1 << 20).fuel == 20_000_000_000 + 800 * (1 << 20)


def test_a_model_is_told_of_a_program_without_end_and_can_go_on(weir: Weir, log: str) -> None:
    handle = weir.transform("alice", "read_log", log).handles[0]
    for program in ("def f: 1 + f; f", "[repeat(1)]"):
        told = weir.invoke("alice", "weir_fetch", {"id": handle.id, "mode": "query", "query": program})
        assert told.is_error and "too costly" in told.text, program
    assert not weir.invoke("alice", "weir_fetch", {"id": handle.id, "mode": "query", "query": "length"}).is_error


def test_settings_hold_in_every_call_and_bad_ones_are_named(tmp_path: Path, cache: Path) -> None:
    strict = Weir(tmp_path, cache=cache, settings={"transform": {"threshold_chars": 2000}})
    assert strict.transform("alice", "t", "x\n" * 1500).replaced
    with pytest.raises(SettingsError, match="threshold"):
        Weir(tmp_path, cache=cache, settings={"transform": {"threshold_chars": "many"}})
    assert strict.default_settings()["transform"]["threshold_chars"] == 12_000
    assert "transform" in strict.settings_schema()["properties"]
    assert strict.threshold("alice", "t") == 2000


def test_the_version_is_that_of_the_package() -> None:
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    if not project.exists():
        pytest.skip("the project is not beside the tests")
    assert weir_wasm.__version__ == tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    assert all(hasattr(weir_wasm, name) for name in weir_wasm.__all__)


def test_what_is_closed_says_so_and_holds_no_code(tmp_path: Path, cache: Path, log: str) -> None:
    with Weir(tmp_path, cache=cache) as weir:
        catalog, intake, sweeper = weir.catalog([{"name": "one"}]), weir.intake("alice", "curl"), weir.sweeper(every=3600)
        strings, results = weir.strings(), Results(weir, "alice")
        component = weakref.ref(weir._compiled.code[0])
        assert weir.transform("alice", "read_log", log).replaced and repr(weir) == f"Weir({str(tmp_path)!r})"
    assert component() is None and not sweeper._thread.is_alive()
    assert repr(catalog) == f"<Catalog {catalog.digest}>"
    calls: list[Callable[[], Any]] = [
        weir.status, weir.sweep, lambda: weir.show("alice", "t", log), lambda: weir.intake("alice", "t"), lambda: weir.catalog([]),
        weir.strings, catalog.assemble, lambda: intake.write("x"), intake.finish, lambda: strings.call("about"),
        lambda: next(weir.pages("alice", "0" * 12)), lambda: asyncio.run(weir.aio.status()),
    ]
    for call in calls:
        with pytest.raises(ClosedError, match="this Weir is closed: open its directory anew") as closed:
            call()
        assert closed.value.code == "closed" and isinstance(closed.value, (WeirError, ValueError))
    # An adapter lets a result pass, whatever is wrong.
    assert results.text("alice", "read_log", log) is log and results.read("alice", "weir_fetch", {})[1]
    for ended in (weir, catalog, intake):
        ended.close()
    with Weir(tmp_path, cache=cache) as again:
        assert again.list_blobs("alice").total == 1


def test_async_code_opens_and_closes_beside_the_loop(tmp_path: Path, cache: Path, log: str) -> None:
    async def work() -> Weir:
        async with await AsyncWeir.open(tmp_path, cache=cache, settings={"transform": {"threshold_chars": 2000}}) as weir:
            assert await weir.show("alice", "read_log", log[:3000]) != log[:3000]
            async with await weir.catalog([{"name": "one", "description": "One."}]) as catalog:
                assert len(catalog.digest) == 64 and catalog.diagnostics == []
                assert "one" in ((await catalog.search("one")).text or "")
            intake = await weir.intake("alice", "curl")
            await intake.write(log)
            await intake.aclose()
            assert (await weir.list_blobs("alice")).total == 1
            with pytest.raises(ValueError, match="finished or closed"):
                await intake.finish()
        with pytest.raises(ClosedError):
            await weir.status()
        await weir.aclose()
        return weir.weir

    assert repr(asyncio.run(work()).aio) == f"Weir({str(tmp_path)!r}).aio"
    with pytest.raises(StoreError):
        (tmp_path / "file").touch()
        asyncio.run(AsyncWeir.open(tmp_path / "file", cache=cache))


def test_words_and_numbers_that_cannot_be_are_named(weir: Weir, log: str) -> None:
    id = stored(weir, log)
    wrong: list[tuple[Any, type[Exception], str]] = [
        (lambda: weir.read("alice", id, view="tex"), ValueError, "view is one of text, raw, not 'tex'"),  # type: ignore[arg-type]
        (lambda: weir.read("alice", id, unit="line"), ValueError, "unit is one of lines, bytes, chars"),  # type: ignore[arg-type]
        (lambda: weir.outline("alice", id, view="x"), ValueError, "view is one of"),  # type: ignore[arg-type]
        (lambda: weir.grep("alice", id, "x", case_mode="x"), ValueError, "case_mode is one of smart"),  # type: ignore[arg-type]
        (lambda: weir.read("alice", id, count=-1), ValueError, "count is at least 0, not -1"),
        (lambda: weir.grep("alice", id, "x", max_matches=-1), ValueError, "max_matches is at least 0"),
        (lambda: weir.list_blobs("alice", max_entries=-1), ValueError, "max_entries is at least 0"),
        (lambda: weir.grep("alice", id, "x", max_matches=2**32), ValueError, "max_matches is at most 4294967295, not 4294967296"),
        (lambda: weir.grep("alice", id, "x", before=2**32), ValueError, "before is at most 4294967295"),
        (lambda: weir.list_blobs("alice", max_entries=2**40), ValueError, "max_entries is at most 4294967295"),
        (lambda: weir.threshold("alice", "t", max_chars=2**40), ValueError, "max_chars is at most 4294967295"),
        (lambda: weir.transform("alice", "t", log, max_chars=2**32), ValueError, "max_chars is at most 4294967295"),
        (lambda: weir.intake("alice", "t", max_chars=2**32 + 100), ValueError, "max_chars is at most 4294967295"),
        (lambda: weir.read("alice", id, count=2**64), ValueError, "count is at most 18446744073709551615"),
        (lambda: weir.read("alice", id, start=-(2**63) - 1), ValueError, "start is at least -9223372036854775808"),
        (lambda: weir.read("alice", id, start=2**63), ValueError, "start is at most 9223372036854775807"),
        (lambda: weir.transform("alice", "t", log, max_chars="9"), TypeError, "max_chars is an int, not str"),  # type: ignore[arg-type]
        (lambda: weir.transform("alice", "t", log, max_chars=True), TypeError, "max_chars is an int, not bool"),
        (lambda: weir.stat("alice", 7), TypeError, "a str is needed here, not int"),  # type: ignore[arg-type]
    ]
    for call, kind, said in wrong:
        with pytest.raises(kind, match=said):
            call()


def test_bytes_that_are_no_text_are_kept_and_cost_what_text_costs(weir: Weir) -> None:
    line = "Zeile \xe4\xf6 Text\n"
    texts = {
        "latin-1": line.encode("latin-1") * 40_000,
        "one bad byte": line.encode() * 20_000 + b"\xff" + line.encode() * 20_000,
        "binary": bytes(range(256)) * 2_500,
    }
    begun = time.process_time()
    weir.transform_chunks("alice", "t", [(line * 40_000).encode()])
    usual = time.process_time() - begun
    for name, data in texts.items():
        begun = time.process_time()
        # In pieces of an odd length: characters end between them.
        pieces = [data[at : at + 65_537] for at in range(0, len(data), 65_537)]
        made = weir.transform_chunks("alice", name, pieces)
        took = time.process_time() - begun
        assert made.handles[0].digest == hashlib.sha256(data).hexdigest(), name
        # One byte at a time was forty times.
        assert took < 10 * usual + 0.5, (name, took, usual)


def test_what_the_call_was_for_is_shown(weir: Weir, log: str) -> None:
    hidden = log.replace("7000: all is well", "7000: the invoice went to Ada")
    assert "invoice" not in weir.show("alice", "read_log", hidden)
    wanted = "find the invoice"
    assert "7000: the invoice" in weir.show("bob", "read_log", hidden, purpose=wanted)
    assert "7000: the invoice" in str(weir.transform("carol", "read_log", hidden, purpose=wanted).parts)
    assert "7000: the invoice" in str(weir.transform_mcp("dora", "read_log", hidden, purpose=wanted).result)
    assert "7000: the invoice" in str(weir.transform_chunks("eve", "read_log", [hidden], purpose=wanted).parts)
    assert weir.show("frank", "t", log[:3000], max_chars=1000) != log[:3000]


def test_a_cache_may_be_none_or_below_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path | None] = []

    class Asked(Exception):
        pass

    def compiled(component: Path, cache: Path | None, keys: Any) -> None:
        asked.append(cache)
        raise Asked

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("weir_wasm._weir.Compiled", compiled)
    for cache in (None, False, "~/weir", tmp_path):
        with pytest.raises(Asked):
            Weir(None, cache=cache)
    assert asked == [None, None, tmp_path / "weir", tmp_path]


def test_async_calls_leave_the_loop_free(weir: Weir, log: str) -> None:
    async def both() -> list[bool]:
        shown = await asyncio.gather(*(weir.aio.transform("alice", f"tool {n}", log + str(n)) for n in range(4)))
        async with await weir.aio.intake("alice", "stream") as intake:
            await intake.write(log)
            streamed = await intake.finish()
        catalog = await weir.aio.catalog({"s": [{"name": "one", "description": "One."}]})
        assert (await catalog.assemble(mode="off")).tools[0]["name"] == "one"
        return [one.replaced for one in shown] + [streamed.replaced]

    assert asyncio.run(both()) == [True] * 5


def test_async_code_hands_over_streams_and_reads_pages(weir: Weir, log: str) -> None:
    async def chunks() -> AsyncIterator[str]:
        for at in range(0, len(log), 1000):
            yield log[at : at + 1000]

    async def stream() -> list[str]:
        made = [await weir.aio.transform_chunks("alice", "read_log", source) for source in (chunks(), [log, "end"])]
        return ["".join([page.content async for page in weir.aio.pages("alice", one.handles[0].id)]) for one in made]

    assert asyncio.run(stream()) == [log, log + "end"]


def test_what_is_no_text_is_named(weir: Weir, log: str) -> None:
    for content, said in [(log.encode(), "not bytes; bytes are taken by transform_chunks"), (None, "not NoneType"), (1, "not int")]:
        with pytest.raises(TypeError, match=said):
            weir.transform("alice", "read_log", content)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a str is needed here, not int"):
        weir.show(7, "read_log", log)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="let each open it"):
        pickle.dumps(weir)


def test_a_session_of_an_adapter_may_be_a_number_or_nothing(weir: Weir, log: str) -> None:
    for session, name in [(7, "7"), (lambda _: 7, "7"), (lambda _: None, "default"), (lambda _: "bob", "bob")]:
        results = Results(weir, session)  # type: ignore[arg-type]
        assert results.session(None) == name
        assert results.text(results.session(None), "read_log", log) != log


def test_a_sweeper_sweeps_at_once_and_ends_with_its_weir(weir: Weir, log: str) -> None:
    seen = []
    assert weir.sweep(seen.append).more is None and seen[-1].more is None
    with weir.sweeper(every=3600) as sweeper:
        pass
    assert sweeper.sweeps == 1 and sweeper.last is not None and sweeper.last.more is None
    stored(weir, log)
    assert weir.check().blobs == 1 and weir.status().census is not None


def test_compiled_code_is_loaded_from_the_cache_and_only_when_it_is_whole(weir: Weir, cache: Path, tmp_path: Path) -> None:
    again = _engine.Compiled(Path(_component()), cache)
    assert again.from_cache
    version = _engine.metadata.version("wasmtime")
    [file] = cache.glob(f"{again.digest[:32]}-wasmtime-{version}-*.cwasm")
    assert file.stat().st_mode & 0o077 == 0
    assert again._load_compiled(file, "0" * 64) is None
    copy = tmp_path / file.name
    copy.write_bytes(file.read_bytes()[:-1])
    copy.chmod(0o600)
    assert again._load_compiled(copy, file.stem.rsplit("-", 1)[1]) is None
    copy.write_bytes(file.read_bytes())
    copy.chmod(0o622)
    assert again._load_compiled(copy, file.stem.rsplit("-", 1)[1]) is None


def test_a_directory_that_others_can_write_to_is_not_used(tmp_path: Path, cache: Path) -> None:
    assert (Weir(tmp_path / "new", cache=cache).directory or tmp_path).stat().st_mode & 0o777 == 0o700
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert _engine.private_directory(tmp_path / "open") is None
    with pytest.raises(StoreError, match="others than this user can write to it.*chmod 700"):
        Weir(tmp_path / "open", cache=cache)
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "none" / "at all")
    for name in ("file", "link", "file/below"):
        with pytest.raises(StoreError, match="cannot be the store: .*Name a directory of your own"):
            Weir(tmp_path / name, cache=cache)


def test_a_file_that_is_no_component_is_named(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match="cannot read"):
        Weir(None, component=tmp_path / "none.wasm", cache=False)
    file = tmp_path / "bad.wasm"
    whole = component().read_bytes()

    def of_contract(version: bytes) -> bytes:
        return whole.replace(b"@0.3.0", b"@" + version)

    for content, said in [
        (b"", "not WebAssembly"), (b"(component)", "not WebAssembly"), (b"\0asm\1\0\0\0", "a core module"),
        (b"\0asm\x0d\0\1\0", "exports no interface of weir:plugin"), (whole[: len(whole) // 2], "truncated or damaged"),
        (whole[:-1], "truncated or damaged"),
        (b"\0asm\x0d\0\1\0\x07\x16weir:plugin/info@0.3.0", "the contract weir:plugin@0.3.0 as a WIT package"), (of_contract(b"0.1.0"), "older contract weir:plugin@0.1.0"),
        (of_contract(b"0.4.0"), "newer contract weir:plugin@0.4.0"), (of_contract(b"1.0.0"), "newer contract weir:plugin@1.0.0"),
    ]:
        file.write_bytes(content)
        with pytest.raises(ComponentError, match=said) as refused:
            Weir(None, component=file, cache=False)
        assert "leave component out" in str(refused.value) and "\n" not in str(refused.value)


def test_threads_share_one_weir(weir: Weir, log: str) -> None:
    failures: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for turn in range(5):
                id = stored(weir, f"{n} {turn}\n{log}", session=f"s{n}")
                assert weir.read(f"s{n}", id, 1, 1).content == f"{n} {turn}\n"
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert all(weir.list_blobs(f"s{n}").total == 5 for n in range(8))


FORKS = """
import os, sys
from weir_wasm import Trapped, Weir

weir, text = Weir(sys.argv[1], cache=sys.argv[2]), "a line of a long text\\n" * 9000
if sys.argv[3] == "used":
    weir.transform("s", "t", text)
child = os.fork()
if child == 0:
    status = 1
    try:
        if sys.argv[3] == "used":
            for call in (lambda: weir.status(), lambda: Weir(sys.argv[1], cache=sys.argv[2]).transform("s", "t", text)):
                try:
                    call()
                except Trapped as error:
                    assert error.reason == "fault" and "a call was made before this process was forked" in str(error)
                else:
                    raise AssertionError("it went through")
            assert weir.show("s", "t", text) == text
        else:
            assert weir.transform("s", "t", text).replaced
        status = 0
    finally:
        os._exit(status)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("when", ["used", "unused"])
def test_a_forked_process_goes_on_or_says_why_not(when: str, tmp_path: Path, cache: Path) -> None:
    code = [sys.executable, "-W", "ignore", "-c", FORKS, str(tmp_path / "store"), str(cache), when]
    ran = subprocess.run(code, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr


def test_the_string_interface_is_there_as_it_is(weir: Weir) -> None:
    strings = weir.strings()
    assert json.loads(strings.call("about"))["contract"] == "weir:plugin@0.3.0"
    assert json.loads(strings.call("open-catalog", '{"tools": []}'))["catalog"] == 1
    assert json.loads(strings.call("drop-catalog", 2))["error"]["code"] == "no-catalog"


def _component() -> Path:
    from conftest import component

    return component()
