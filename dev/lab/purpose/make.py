#!/usr/bin/env python3
"""Writes 200 results of tools, each with a purpose and the line that answers it, as triples.jsonl.

    python3 dev/lab/purpose/make.py FOLDER

Ten of each of twenty kinds, all from one seed. Each result also holds the lines that answer the other
nine purposes of its kind, and many that answer none. Five of each kind are `tuning`, five `held`.
"""
import json
import random
import sys
from pathlib import Path

WORDS = (
    "cache queue worker session token batch index shard replica bucket route handler parser buffer stream metric probe "
    "ledger invoice tenant profile folder widget channel mailer scheduler gateway proxy broker snapshot adapter"
).split()
PEOPLE = "Okafor Lindqvist Marchetti Haddad Novak Petrov Tanaka Silva Becker Dubois Moreau Jansen Kaya Ortiz".split()
VERBS = "load store merge resolve encode decode flush drain attach detach refresh publish collect render split".split()

CASES = {}


def kind(name, *pairs):
    """Registers a kind: a function of a random generator that gives a line of filler, or a whole result."""
    def register(make):
        CASES[name] = (make, pairs)
        return make
    return register


def lines(rng, answers, filler, count, head=(), tail=()):
    """Filler with the answers in it, none within the first or last sixth."""
    body = [filler(rng, n) for n in range(count)]
    places = sorted(rng.sample(range(count // 6, count * 5 // 6), len(answers)), reverse=True)
    for place, answer in zip(places, rng.sample(answers, len(answers))):
        body.insert(place, answer)
    return "\n".join([*head, *body, *tail]) + "\n"


def clock(rng, n):
    return f"2026-03-{1 + n // 900 % 28:02}T{n // 60 % 24:02}:{n % 60:02}:{rng.randrange(60):02}Z"


@kind(
    "log",
    ("when did the database come back after the outage", "2026-03-04T09:12:44Z INFO pool: connection to primary database restored"),
    ("which version of the app got rolled out", "2026-03-04T11:02:10Z INFO release: deployed build 7.4.19 to production"),
    ("how long did the nightly backup take", "2026-03-04T02:41:09Z INFO backup: nightly run finished in 2312 s"),
    ("who changed the admin password", "2026-03-04T15:33:01Z INFO auth: password of admin changed by user mlindqvist"),
    ("is TLS really on? which certificate", "2026-03-04T00:00:03Z INFO listener: TLS certificate loaded, CN=shop.example.org"),
    ("find why memory is so high", "2026-03-04T13:21:55Z INFO gc: heap grew to 7912 MB after import of catalog"),
    ("did the scheduled email newsletter go out", "2026-03-04T06:00:12Z INFO mail: newsletter 88 delivered to 4120 recipients"),
    ("what port is it listening on", "2026-03-04T00:00:04Z INFO listener: bound to 0.0.0.0:8443"),
    ("check whether the customer Haddad got a refund", "2026-03-04T17:40:27Z INFO billing: refund 220.50 issued to customer Haddad"),
    ("was the config reloaded at some point", "2026-03-04T12:05:59Z INFO supervisor: configuration reloaded after SIGHUP"),
)
def log(rng, answers):
    def filler(rng, n):
        w = rng.choice(WORDS)
        return f"{clock(rng, n)} INFO {w}: {rng.choice(VERBS)} {rng.choice(WORDS)} {rng.randrange(9999)} in {rng.randrange(900)} ms"
    return lines(rng, answers, filler, 900)


@kind(
    "json-array",
    ("what's the phone number of Amelie Fournier", {"id": 90001, "name": "Amelie Fournier", "phone": "+33 6 12 44 81 90", "city": "Lyon", "status": "active"}),
    ("find the customer in Reykjavik", {"id": 90002, "name": "Jon Thorsson", "phone": "+354 611 2233", "city": "Reykjavik", "status": "active"}),
    ("who is suspended", {"id": 90003, "name": "Peter Quill", "phone": "+44 20 7946 0991", "city": "Leeds", "status": "suspended"}),
    ("record 90004 please", {"id": 90004, "name": "Ines Prado", "phone": "+34 911 23 22", "city": "Madrid", "status": "active"}),
    ("does Yusuf have an account with us", {"id": 90005, "name": "Yusuf Demirel", "phone": "+90 212 555 01", "city": "Izmir", "status": "active"}),
    ("anyone from Montevideo?", {"id": 90006, "name": "Luz Cabrera", "phone": "+598 2 901", "city": "Montevideo", "status": "active"}),
    ("look up Mrs. Vandenberghe", {"id": 90007, "name": "An Vandenberghe", "phone": "+32 2 555 12", "city": "Ghent", "status": "active"}),
    ("which accounts are awaiting verification", {"id": 90008, "name": "Tom Baker", "phone": "+44 161 496", "city": "Bath", "status": "pending verification"}),
    ("whose number is +1 415 555 0199", {"id": 90009, "name": "Rita Gomez", "phone": "+1 415 555 0199", "city": "Fresno", "status": "active"}),
    ("accounts that were closed by the owner", {"id": 90010, "name": "Max Frisch", "phone": "+41 44 555", "city": "Zug", "status": "closed by owner"}),
)
def json_array(rng, answers):
    rows = [
        {"id": n, "name": f"{rng.choice(VERBS).title()} {rng.choice(PEOPLE)}", "phone": f"+49 30 {rng.randrange(999999)}",
         "city": rng.choice(["Berlin", "Paris", "Oslo", "Rome"]), "status": "active"} for n in range(600)
    ]
    for answer in answers:
        rows.insert(rng.randrange(100, 500), answer)
    return json.dumps(rows)


@kind(
    "json-object",
    ("what is the timeout for uploads", '"upload_timeout_seconds": 95'),
    ("which smtp server do we send through", '"smtp_host": "relay7.mail.example.net"'),
    ("how many login attempts before lockout", '"max_login_attempts": 7'),
    ("is two factor authentication required", '"require_two_factor": true'),
    ("where are the avatars kept", '"avatar_bucket": "s3://people-pictures-eu"'),
    ("default currency", '"default_currency": "CHF"'),
    ("how long do we keep audit records", '"audit_retention_days": 3650'),
    ("the time zone the reports run in", '"report_timezone": "Asia/Kolkata"'),
    ("which feature flag turns on dark mode", '"enable_dark_mode": false'),
    ("support contact address", '"support_email": "help@shop.example.org"'),
)
def json_object(rng, answers):
    doc, names = {}, [f"{rng.choice(VERBS)}_{rng.choice(WORDS)}_{n}" for n in range(900)]
    for at, name in enumerate(names):
        doc[name] = rng.choice([rng.randrange(500), rng.choice(WORDS), True])
    text = [json.dumps(name) + ": " + json.dumps(value) for name, value in doc.items()]
    for answer in answers:
        text.insert(rng.randrange(200, 700), answer)
    return "{\n  " + ",\n  ".join(text) + "\n}\n"


@kind(
    "csv",
    ("how much did we pay to Brightwater Logistics", "INV-77120,2026-02-11,Brightwater Logistics,18450.00,EUR,paid"),
    ("find the overdue invoice", "INV-77121,2026-01-03,Kestrel Tools,310.10,EUR,overdue"),
    ("invoice in swiss francs", "INV-77122,2026-02-12,Alpina Kaffee,99.00,CHF,paid"),
    ("what happened to INV-77123", "INV-77123,2026-02-14,Northwind,42.42,EUR,disputed"),
    ("anything from the catering company", "INV-77124,2026-02-15,Ivy Catering,1200.00,EUR,paid"),
    ("refunded ones", "INV-77125,2026-02-15,Quarry Stone,77.00,EUR,refunded"),
    ("amount for the lawyers Finch and Sons", "INV-77126,2026-02-16,Finch & Sons Lawyers,9800.00,EUR,paid"),
    ("did we get a bill from Helsinki Energy", "INV-77127,2026-02-17,Helsinki Energy,560.00,EUR,paid"),
    ("list cancelled invoices", "INV-77128,2026-02-18,Mosaic Print,15.00,EUR,cancelled"),
    ("the one dated 2019", "INV-77129,2019-07-01,Old Mill,8.00,EUR,paid"),
)
def csv(rng, answers):
    def filler(rng, n):
        return f"INV-{10000 + n},2026-02-{1 + n % 28:02},{rng.choice(WORDS).title()} {rng.choice(PEOPLE)},{rng.randrange(99999) / 100:.2f},EUR,paid"
    return lines(rng, answers, filler, 800, head=["invoice,date,vendor,amount,currency,status"])


@kind(
    "yaml",
    ("memory limit of the payments service", "        memory: 768Mi # payments"),
    ("which image does the thumbnailer run", "    image: registry.example.org/thumbnailer:3.8.1"),
    ("how often does the cleanup job run", "    schedule: '17 4 * * 0' # cleanup"),
    ("environment variable for the Stripe key", "      - name: STRIPE_SECRET_KEY"),
    ("what is the liveness probe path", "      path: /healthz/live"),
    ("number of replicas of checkout", "    replicas: 14 # checkout"),
    ("node affinity for gpu", "      accelerator: nvidia-l4"),
    ("the ingress hostname", "    host: ingress.shop.example.org"),
    ("storage class for the volumes", "    storageClassName: fast-ssd-retain"),
    ("who owns this deployment", "    owner: team-aurora@example.org"),
)
def yaml(rng, answers):
    out, todo = ["apiVersion: v1", "services:"], rng.sample(answers, len(answers))
    for n in range(160):
        out += [f"  {rng.choice(WORDS)}-{n}:", f"    {rng.choice(VERBS)}: {rng.choice(WORDS)}", f"    level: {rng.randrange(9)}", "    options:",
                f"      {rng.choice(WORDS)}: {rng.randrange(99)}"]
        if n > 40 and n % 8 == 0 and todo:
            out.append(todo.pop())
    return "\n".join(out + ["end: true"]) + "\n"


@kind(
    "html",
    ("what are the opening hours", "<p>Open Monday to Friday, 9:30 to 18:00, closed on holidays.</p>"),
    ("how do I return a product", "<p>Returns are accepted within 45 days with the receipt.</p>"),
    ("price of the premium plan", "<td>Premium plan</td><td>39 USD a month</td>"),
    ("phone number of customer service", "<p>Call our customer service: 0800 44 55 66.</p>"),
    ("shipping costs to Norway", "<li>Shipping to Norway costs 12.90 EUR.</li>"),
    ("who founded the company", "<p>The company was founded in 1987 by Greta Holm.</p>"),
    ("is there a student discount", "<li>Students get a discount of 15 % with a valid card.</li>"),
    ("warranty length", "<p>All devices have a warranty of three years.</p>"),
    ("do they have parking", "<p>Free parking behind the building for visitors.</p>"),
    ("jobs for designers", "<li>Open position: senior product designer, Malmo.</li>"),
)
def html(rng, answers):
    def filler(rng, n):
        return f"<div class=\"{rng.choice(WORDS)}\"><p>The {rng.choice(WORDS)} {rng.choice(VERBS)}s each {rng.choice(WORDS)} and the {rng.choice(WORDS)}.</p></div>"
    return lines(rng, answers, filler, 400, head=["<!DOCTYPE html>", "<html><head><title>Shop</title></head><body>"], tail=["</body></html>"])


@kind(
    "markdown",
    ("how do I install it on a mac", "On macOS run `brew install quarrel` and open a new terminal."),
    ("what license", "Quarrel is published under the MPL-2.0 license."),
    ("how to disable telemetry", "Set `QUARREL_TELEMETRY=0` to turn telemetry off."),
    ("upgrading from version 2", "Before an upgrade from 2.x, export your rules with `quarrel dump`."),
    ("where are settings stored on windows", "On Windows the settings are in `%APPDATA%\\Quarrel\\settings.toml`."),
    ("can it run behind a proxy", "Behind a proxy, `HTTPS_PROXY` is honoured for every download."),
    ("keyboard shortcut for search", "Press Ctrl+Shift+K to search in all open rules."),
    ("how to report a vulnerability", "Report security vulnerabilities to sec@quarrel.example.org."),
    ("minimum python needed", "Python 3.11 or newer is required."),
    ("uninstall completely", "To remove everything: `quarrel uninstall --purge`."),
)
def markdown(rng, answers):
    def filler(rng, n):
        if n % 25 == 0:
            return f"\n## {rng.choice(VERBS).title()} the {rng.choice(WORDS)}\n"
        return f"The {rng.choice(WORDS)} can {rng.choice(VERBS)} a {rng.choice(WORDS)} where the {rng.choice(WORDS)} is {rng.choice(WORDS)}."
    return lines(rng, answers, filler, 500, head=["# Quarrel"])


@kind(
    "code",
    ("where is the retry delay computed", "def backoff_delay(attempt: int) -> float:"),
    ("function that validates email addresses", "def is_valid_email(address: str) -> bool:"),
    ("find the class for shopping carts", "class ShoppingCart(Base):"),
    ("which constant limits upload size", "MAX_UPLOAD_BYTES = 25 * 1024 * 1024"),
    ("how are passwords hashed", "    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(12))"),
    ("code that talks to redis", "    client = redis.Redis.from_url(settings.REDIS_URL)"),
    ("TODO about time zones", "    # TODO: naive timestamps break in other time zones"),
    ("where do we send the slack notification", "    requests.post(SLACK_WEBHOOK, json={'text': message})"),
    ("how is tax rounded", "    tax = (net * rate).quantize(Decimal('0.01'), ROUND_HALF_UP)"),
    ("exception for expired coupons", "class CouponExpired(Exception):"),
)
def code(rng, answers):
    def filler(rng, n):
        if n % 9 == 0:
            return f"\ndef {rng.choice(VERBS)}_{rng.choice(WORDS)}_{n}(self, value):"
        return f"    {rng.choice(WORDS)}_{n} = self.{rng.choice(VERBS)}({rng.choice(WORDS)}, {rng.randrange(99)})"
    return lines(rng, answers, filler, 700, head=["import os", "import redis"])


@kind(
    "diff",
    ("what changed about the session expiry", "+SESSION_TTL = timedelta(hours=8)"),
    ("did someone remove the rate limiter", "-    limiter.check(request.client_ip)"),
    ("new dependency added", "+httpx = \"0.28.1\""),
    ("change to sql index", "+CREATE INDEX orders_by_customer ON orders (customer_id);"),
    ("is debug mode switched off", "-DEBUG = True"),
    ("how did the greeting text change", "+    return f\"Welcome back, {name}!\""),
    ("which permission is now needed to delete", "+@requires('projects.delete')"),
    ("was the copyright year updated", "+Copyright 2026 Aurora Labs"),
    ("logging level changes", "+logging.getLogger().setLevel(logging.WARNING)"),
    ("gzip compression", "+app.add_middleware(GZipMiddleware, minimum_size=900)"),
)
def diff(rng, answers):
    out, todo = [], rng.sample(answers, len(answers))
    for n in range(60):
        path = f"src/{rng.choice(WORDS)}/{rng.choice(VERBS)}_{n}.py"
        body = [f" {rng.choice(WORDS)} = {rng.choice(VERBS)}({k})" for k in range(6)]
        body += [f"-{rng.choice(WORDS)} = {rng.randrange(99)}", f"+{rng.choice(WORDS)} = {rng.randrange(99)}"]
        if 12 <= n < 52 and n % 4 == 0 and todo:
            body.insert(4, todo.pop())
        old = sum(line[0] in " -" for line in body)
        new = sum(line[0] in " +" for line in body)
        out += [f"diff --git a/{path} b/{path}", f"--- a/{path}", f"+++ b/{path}", f"@@ -10,{old} +10,{new} @@", *body]
    return "\n".join(out) + "\n"


@kind(
    "grep",
    ("where is the webhook signature verified", "src/hooks/verify.ts:41:  if (!timingSafeEqual(signature, expected)) return reply(401)"),
    ("who calls createInvoice", "src/jobs/monthly.ts:88:  await createInvoice(account, period)"),
    ("the definition of UserRole", "src/types/roles.ts:3:export enum UserRole { Guest, Member, Owner }"),
    ("tests of the password reset", "test/reset.spec.ts:12:describe('password reset', () => {"),
    ("where do we read the environment", "src/env.ts:5:const raw = process.env.APP_CONFIG"),
    ("usage of deprecated api", "src/legacy/old.ts:19:/** @deprecated use fetchAll instead */"),
    ("pagination limit", "src/api/list.ts:27:const PAGE_SIZE = 250"),
    ("where is the cookie set", "src/auth/cookie.ts:14:  res.setHeader('Set-Cookie', serialized)"),
    ("translation of checkout button", "src/i18n/de.ts:301:  checkoutButton: 'Zur Kasse',"),
    ("race condition comment", "src/lock.ts:77:// a race here once lost two orders"),
)
def grep(rng, answers):
    def filler(rng, n):
        return f"src/{rng.choice(WORDS)}/{rng.choice(VERBS)}.ts:{n + 1}:  const {rng.choice(WORDS)} = {rng.choice(VERBS)}({rng.choice(WORDS)})"
    return lines(rng, answers, filler, 700)


@kind(
    "listing",
    ("is there a dockerfile somewhere", "-rw-r--r-- 1 root root     911 Mar  4 10:11 Dockerfile.release"),
    ("find the database dump", "-rw-r--r-- 1 root root 8812113 Mar  4 10:11 shop_dump.sql.gz"),
    ("the readme", "-rw-r--r-- 1 root root    4411 Mar  4 10:11 README.rst"),
    ("ssl certificate files", "-rw------- 1 root root    1704 Mar  4 10:11 fullchain.pem"),
    ("where's the license", "-rw-r--r-- 1 root root    1071 Mar  4 10:11 LICENSE.txt"),
    ("presentation slides from the offsite", "-rw-r--r-- 1 root root  220011 Mar  4 10:11 offsite-slides.pptx"),
    ("photos of the launch", "-rw-r--r-- 1 root root 5220011 Mar  4 10:11 launch_photo_17.jpg"),
    ("the budget spreadsheet", "-rw-r--r-- 1 root root   88011 Mar  4 10:11 budget-2026.xlsx"),
    ("anything executable named migrate", "-rwxr-xr-x 1 root root   20101 Mar  4 10:11 migrate.sh"),
    ("contract with Kestrel", "-rw-r--r-- 1 root root   77301 Mar  4 10:11 kestrel_contract_signed.pdf"),
)
def listing(rng, answers):
    def filler(rng, n):
        return f"-rw-r--r-- 1 root root {rng.randrange(60000):7} Mar  4 10:11 {rng.choice(VERBS)}_{rng.choice(WORDS)}_{n}.dat"
    return lines(rng, answers, filler, 600, head=["total 99120"])


@kind(
    "tests",
    ("did the currency conversion test pass", "tests/test_money.py::test_currency_conversion PASSED"),
    ("slowest test about importing", "tests/test_import.py::test_import_large_catalog PASSED (41.2s)"),
    ("which test is skipped on windows", "tests/test_paths.py::test_long_paths SKIPPED (not on windows)"),
    ("coverage of login", "tests/test_auth.py::test_login_with_totp PASSED"),
    ("is unicode handled in usernames", "tests/test_users.py::test_unicode_username PASSED"),
    ("flaky network test", "tests/test_net.py::test_reconnect RERUN"),
    ("expected failures", "tests/test_tax.py::test_reverse_charge XFAIL"),
    ("pdf export", "tests/test_export.py::test_pdf_export_has_pages PASSED"),
    ("do we test leap years", "tests/test_dates.py::test_leap_year_february PASSED"),
    ("concurrency of orders", "tests/test_orders.py::test_concurrent_orders_keep_stock PASSED"),
)
def tests(rng, answers):
    def filler(rng, n):
        return f"tests/test_{rng.choice(WORDS)}.py::test_{rng.choice(VERBS)}_{rng.choice(WORDS)}_{n} PASSED"
    return lines(rng, answers, filler, 600, head=["============ test session starts ============"], tail=["======== 607 passed in 88.21s ========"])


@kind(
    "compiler",
    ("is openssl linked statically", "   Compiling openssl-sys v0.9.108 (vendored, static)"),
    ("which version of serde gets built", "   Compiling serde v1.0.219"),
    ("did it pick up my local patch of tokio", "   Compiling tokio v1.47.0 (/home/user/patched/tokio)"),
    ("what target directory", "   Target directory: /srv/build/out"),
    ("is link time optimisation on", "   Profile release: lto = \"fat\", codegen-units = 1"),
    ("unused import in the parser", "note: the lint `unused_imports` fired in src/parser/mod.rs:14"),
    ("the protobuf generation step", "   Running protoc on proto/orders.proto"),
    ("sqlite bundled?", "   Compiling libsqlite3-sys v0.35.0 (bundled)"),
    ("which linker", "   Using linker: mold 2.40"),
    ("how big is the binary", "   Binary size: 18342912 bytes"),
)
def compiler(rng, answers):
    def filler(rng, n):
        return f"   Compiling {rng.choice(WORDS)}-{rng.choice(VERBS)} v{rng.randrange(5)}.{rng.randrange(30)}.{n % 20}"
    return lines(rng, answers, filler, 600, tail=["    Finished `release` profile in 4m 12s"])


@kind(
    "sql",
    ("which employee works in the Lisbon office", " 90001 | Teresa Alves     | Lisbon   | engineer   | 2021-04-01"),
    ("who is the chief accountant", " 90002 | Bo Lindgren      | Oslo     | chief accountant | 2015-01-01"),
    ("hire date of Magnus Eriksen", " 90003 | Magnus Eriksen   | Oslo     | engineer   | 2019-10-15"),
    ("row 90004", " 90004 | Ada Byron        | Rome     | analyst    | 2020-02-02"),
    ("people who left", " 90005 | Carl Orff        | Rome     | left       | 2012-05-05"),
    ("interns", " 90006 | Kim Soo          | Paris    | intern     | 2026-01-07"),
    ("anyone on parental leave", " 90007 | Dana Roth        | Paris    | parental leave | 2018-08-08"),
    ("our lawyer", " 90008 | Saul Berg        | Berlin   | legal counsel, lawyer | 2016-06-06"),
    ("longest serving, from the nineties", " 90009 | Olga Maier       | Berlin   | janitor    | 1994-03-01"),
    ("contact in Singapore", " 90010 | Wei Tan          | Singapore| sales      | 2022-09-09"),
)
def sql(rng, answers):
    def filler(rng, n):
        return f" {n:5} | {rng.choice(VERBS).title() + ' ' + rng.choice(PEOPLE):16} | {rng.choice(['Berlin', 'Oslo', 'Rome']):8} | engineer   | 20{10 + n % 15}-04-01"
    return lines(rng, answers, filler, 500, head=["  id   | name             | city     | role       | hired", "-------+------------------+----------+------------+-----------"], tail=["(510 rows)"])


@kind(
    "config",
    ("where does the web server write its access log", "access_log = /var/log/shop/access.log"),
    ("maximum number of connections", "max_connections = 420"),
    ("what user does it run as", "run_as_user = svc-shop"),
    ("which cipher suites are allowed", "ssl_ciphers = ECDHE-RSA-AES256-GCM-SHA384"),
    ("path of the pid file", "pid_file = /run/shop.pid"),
    ("backup destination", "backup_destination = s3://cold-storage/shop"),
    ("language of the interface", "ui_language = pt-BR"),
    ("does it autosave and how often", "autosave_interval = 45"),
    ("smtp password setting", "smtp_password_file = /run/secrets/smtp"),
    ("ipv6 enabled", "enable_ipv6 = no"),
)
def config(rng, answers):
    def filler(rng, n):
        return f"\n[{rng.choice(WORDS)}.{n}]" if n % 20 == 0 else f"{rng.choice(VERBS)}_{rng.choice(WORDS)}_{n} = {rng.choice([str(rng.randrange(99)), rng.choice(WORDS)])}"
    return lines(rng, answers, filler, 700)


@kind(
    "trace",
    ("what was the root cause", "Caused by: java.net.SocketTimeoutException: Read timed out"),
    ("where in our own code did it start", "    at com.shop.checkout.PaymentService.charge(PaymentService.java:118)"),
    ("is hibernate involved", "    at org.hibernate.loader.Loader.doQuery(Loader.java:2084)"),
    ("which thread", "Thread \"payment-worker-3\" #88 prio=5 state=RUNNABLE"),
    ("the order being processed", "  context: orderId=ORD-55120 step=authorise"),
    ("was a lock held", "    - locked <0x00000007151> (a com.shop.stock.Ledger)"),
    ("kafka consumer frames", "    at org.apache.kafka.clients.consumer.KafkaConsumer.poll(KafkaConsumer.java:1301)"),
    ("suppressed exception", "    Suppressed: java.io.IOException: Stream closed"),
    ("json parsing part", "    at com.fasterxml.jackson.core.JsonParser.nextToken(JsonParser.java:410)"),
    ("entry point main", "    at com.shop.Main.main(Main.java:22)"),
)
def trace(rng, answers):
    def filler(rng, n):
        return f"    at com.shop.{rng.choice(WORDS)}.{rng.choice(WORDS).title()}.{rng.choice(VERBS)}({rng.choice(WORDS).title()}.java:{rng.randrange(900)})"
    return lines(rng, answers, filler, 500, head=["java.lang.IllegalStateException: request could not be served"])


@kind(
    "mcp",
    ("issue about the login page crashing on Safari", {"number": 4412, "title": "Login page crashes on Safari 17", "state": "open", "labels": ["bug"]}),
    ("feature request for dark theme", {"number": 4413, "title": "Dark theme for the dashboard", "state": "open", "labels": ["feature"]}),
    ("security issue", {"number": 4414, "title": "Session fixation in admin", "state": "open", "labels": ["security"]}),
    ("what is 4415", {"number": 4415, "title": "Export hangs at 99 %", "state": "closed", "labels": ["bug"]}),
    ("translations into Japanese", {"number": 4416, "title": "Japanese translation is incomplete", "state": "open", "labels": ["i18n"]}),
    ("docs are missing something", {"number": 4417, "title": "Documentation lacks the webhook chapter", "state": "open", "labels": ["docs"]}),
    ("slow search", {"number": 4418, "title": "Search takes 20 s with many tags", "state": "open", "labels": ["performance"]}),
    ("printing problems", {"number": 4419, "title": "Invoices print without a logo", "state": "open", "labels": ["bug"]}),
    ("good first issue for a newcomer", {"number": 4420, "title": "Rename a variable", "state": "open", "labels": ["good first issue"]}),
    ("accessibility with screen readers", {"number": 4421, "title": "Screen reader skips the menu", "state": "open", "labels": ["a11y"]}),
)
def mcp(rng, answers):
    rows = [{"number": n, "title": f"{rng.choice(VERBS).title()} the {rng.choice(WORDS)}", "state": "open", "labels": ["task"]} for n in range(400)]
    for answer in answers:
        rows.insert(rng.randrange(80, 320), answer)
    return json.dumps({"total_count": len(rows), "items": rows}, indent=1)


@kind(
    "processes",
    ("is postgres running", "postgres    4410  0.3  2.1 228812  88120 ?  Ss  09:00  0:12 /usr/lib/postgresql/16/bin/postgres"),
    ("what eats the cpu", "render      4411 98.7  1.0  90112  41200 ?  Rl  09:00 88:12 /opt/render/encode --threads 8"),
    ("the ssh daemon", "root        4412  0.0  0.1  15420   9012 ?  Ss  09:00  0:00 sshd: /usr/sbin/sshd -D"),
    ("pid of the nginx master", "root        4413  0.0  0.1  10112   2012 ?  Ss  09:00  0:00 nginx: master process"),
    ("is a vim still open", "anna        4414  0.0  0.2  24112  11012 pts/2  S+  09:00  0:01 vim notes.txt"),
    ("java service heap flags", "shop        4415  1.0  9.1 988120 720120 ?  Sl  09:00  3:12 java -Xmx2g -jar orders.jar"),
    ("zombies", "build       4416  0.0  0.0      0      0 ?  Z   09:00  0:00 [cc1] <defunct>"),
    ("docker daemon", "root        4417  0.4  1.1 188120  72120 ?  Ssl 09:00  0:42 /usr/bin/dockerd -H fd://"),
    ("the backup with rsync", "root        4418  2.0  0.1  18812   7212 ?  S   09:00  0:42 rsync -a /srv /mnt/backup"),
    ("python notebook server", "anna        4419  0.1  1.0  88120  62120 ?  Sl  09:00  0:22 python -m jupyter lab"),
)
def processes(rng, answers):
    def filler(rng, n):
        return f"www      {n + 5000:7}  0.0  0.{rng.randrange(9)}  {rng.randrange(10000, 99999)}  {rng.randrange(1000, 9999)} ?  S   09:00  0:00 /opt/{rng.choice(WORDS)}/{rng.choice(VERBS)} --id {n}"
    return lines(rng, answers, filler, 500, head=["USER         PID %CPU %MEM    VSZ   RSS TTY STAT START TIME COMMAND"])


@kind(
    "ndjson",
    ("failed payment of user 7781", '{"ts":"2026-03-04T10:00:00Z","event":"payment","user":7781,"outcome":"card expired"}'),
    ("who deleted the project", '{"ts":"2026-03-04T10:00:01Z","event":"project.delete","user":7782,"outcome":"ok"}'),
    ("signups from referral", '{"ts":"2026-03-04T10:00:02Z","event":"signup","user":7783,"outcome":"referral"}'),
    ("password resets", '{"ts":"2026-03-04T10:00:03Z","event":"password.reset","user":7784,"outcome":"ok"}'),
    ("api key creation", '{"ts":"2026-03-04T10:00:04Z","event":"api_key.create","user":7785,"outcome":"ok"}'),
    ("did anyone export data", '{"ts":"2026-03-04T10:00:05Z","event":"data.export","user":7786,"outcome":"ok"}'),
    ("logins from Brazil", '{"ts":"2026-03-04T10:00:06Z","event":"login","user":7787,"outcome":"ok","country":"Brazil"}'),
    ("upgrade to the enterprise plan", '{"ts":"2026-03-04T10:00:07Z","event":"plan.upgrade","user":7788,"outcome":"enterprise"}'),
    ("webhook deliveries that were retried", '{"ts":"2026-03-04T10:00:08Z","event":"webhook.retry","user":7789,"outcome":"ok"}'),
    ("activity of user 7790", '{"ts":"2026-03-04T10:00:09Z","event":"view","user":7790,"outcome":"ok"}'),
)
def ndjson(rng, answers):
    def filler(rng, n):
        return json.dumps({"ts": clock(rng, n), "event": "view", "user": 1000 + n, "outcome": "ok"}, separators=(",", ":"))
    return lines(rng, answers, filler, 700)


@kind(
    "xml",
    ("which book is by Ursula Le Guin", "<book id=\"b7701\"><author>Ursula K. Le Guin</author><title>The Dispossessed</title></book>"),
    ("cookbook in the catalogue", "<book id=\"b7702\"><author>Marta Ruiz</author><title>Cooking for Two</title></book>"),
    ("the out of print one", "<book id=\"b7703\" print=\"out\"><author>A. Nonym</author><title>Grey Days</title></book>"),
    ("something on astronomy", "<book id=\"b7704\"><author>Li Wei</author><title>Astronomy with a Small Telescope</title></book>"),
    ("b7705", "<book id=\"b7705\"><author>Jo Nesbit</author><title>Thirst</title></book>"),
    ("books about gardens", "<book id=\"b7706\"><author>Rosa Green</author><title>A Garden in the North</title></book>"),
    ("translated by Edith Grossman", "<book id=\"b7707\"><author>Cervantes</author><title>Quixote</title><translator>Edith Grossman</translator></book>"),
    ("audiobook edition", "<book id=\"b7708\" format=\"audiobook\"><author>Sam Reed</author><title>Listen</title></book>"),
    ("children's picture book", "<book id=\"b7709\"><author>Pia Lund</author><title>The Bear (picture book for children)</title></book>"),
    ("chess openings", "<book id=\"b7710\"><author>Gary K.</author><title>Chess Openings Explained</title></book>"),
)
def xml(rng, answers):
    def filler(rng, n):
        return f"<book id=\"b{n}\"><author>{rng.choice(PEOPLE)}</author><title>The {rng.choice(WORDS).title()} of {rng.choice(WORDS).title()}</title></book>"
    return lines(rng, answers, filler, 500, head=['<?xml version="1.0"?>', "<catalogue>"], tail=["</catalogue>"])


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(20260304)
    count = 0
    with open(folder / "triples.jsonl", "w", encoding="utf-8") as out:
        for name, (make, pairs) in CASES.items():
            for at, (purpose, answer) in enumerate(pairs):
                result = make(rng, [answer for _, answer in pairs])
                # What must be seen of an object: all its values.
                needles = [json.dumps(value, ensure_ascii=False) if not isinstance(value, list) else json.dumps(value[0]) for value in answer.values()] \
                    if isinstance(answer, dict) else [answer.strip()]
                half = "tuning" if at % 2 == 0 else "held"
                json.dump({"kind": name, "half": half, "purpose": purpose, "answer": needles, "result": result}, out)
                out.write("\n")
                count += 1
    print(f"{count} triples of {len(CASES)} kinds")


main()
