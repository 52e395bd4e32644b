#!/usr/bin/env bash
# human-date-parser 0.3.1 (crates.io), from_human_time(); interim 0.2.2 (crates.io) asked the same. "Now" is Tuesday 2026-12-01 09:00.
# Behaviour: a text is read as far as it fits, and what comes after that is dropped without an error. "mon" is tried before "month", so "next month" is
# next Monday and "last month" last Monday. "pm" and "am" are dropped: 5:00 pm is five in the morning and 12:30 am is half past noon. A time in the form
# "at 3pm" is dropped as a whole, and the answer is a date only. "In 2 days at 17:00" is in 2 days at the time of now.
# Seen:   next month = 2026-12-07 / last month = 2026-11-30 / tomorrow at 5:00 pm = 2026-12-02 05:00 / in 2 days at 17:00 = 2026-12-03 09:00
# Expected by most: a day in January, a day in November, 17:00, 17:00; or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
chrono = "=0.4.45"
human-date-parser = "=0.3.1"
interim = { version = "=0.2.2", features = ["chrono_0_4"] }
TOML
cat > src/main.rs <<'RS'
use chrono::{NaiveDate, Utc};
use human_date_parser::from_human_time;
use interim::{parse_date_string, Dialect};

fn main() {
    let now = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap().and_hms_opt(9, 0, 0).unwrap();
    let words = [
        "next month", "last month", "this month", "next year", "last monday", "5:00 pm", "12:30 am", "tomorrow at 5:00 pm",
        "tomorrow at 17:00", "friday 3pm", "in 2 days at 17:00",
    ];
    for one in words {
        let mine = from_human_time(one, now).map(|found| format!("{found:?}")).unwrap_or("error".into());
        let other = parse_date_string(one, now.and_local_timezone(Utc).unwrap(), Dialect::Us);
        let other = other.map(|found| found.format("%Y-%m-%d %H:%M").to_string()).unwrap_or("error".into());
        println!("{one}: {mine}; interim: {other}");
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"human-date-parser"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
next month: Date(2026-12-07); interim: 2027-01-01 00:00
last month: Date(2026-11-30); interim: 2026-11-01 00:00
this month: Date(2026-12-07); interim: 2026-12-01 00:00
next year: Date(2027-12-01); interim: 2027-12-01 00:00
last monday: Date(2026-11-30); interim: 2026-11-30 00:00
5:00 pm: Time(05:00:00); interim: 2026-12-01 17:00
12:30 am: Time(12:30:00); interim: 2026-12-01 00:30
tomorrow at 5:00 pm: DateTime(2026-12-02T05:00:00); interim: error
tomorrow at 17:00: DateTime(2026-12-02T17:00:00); interim: error
friday 3pm: Date(2026-12-04); interim: 2026-12-04 15:00
in 2 days at 17:00: DateTime(2026-12-03T09:00:00); interim: error
END
