#!/usr/bin/env bash
# english-to-cron 0.1.7 (crates.io), str_cron_syntax(); cron 0.17.0 (crates.io) tells when the schedule that comes out would run.
# Behaviour: words that the converter does not know are dropped, and there is no error as long as one word is known. "Except" is dropped, so "every day
# except sunday" is each Sunday and no other day. An hour without am, pm or a colon is dropped: "daily at 8" runs each minute. "Every 3 months" is each
# minute of March. The number in "the 10th of every month" lands in the field of the month. "Last" and "weekday" are dropped.
# Seen:   every day except sunday at 6 am = 0 0 6 ? * SUN * / daily at 8 = 0 * * * * ? * / every 3 months = 0 * * * 3 ? *
# Expected by most: six days of the week, once a day, four times a year; or an error.
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
cron = "=0.17.0"
english-to-cron = "=0.1.7"
TOML
cat > src/main.rs <<'RS'
use chrono::{TimeZone, Utc};
use std::str::FromStr;

fn main() {
    let start = Utc.with_ymd_and_hms(2026, 12, 1, 9, 0, 0).unwrap();
    let words = [
        "every day at 6 am", "every day except sunday at 6 am", "daily at 8", "every 3 months", "on the 10th of every month at 5 am",
        "on the 31st of the month at 10:00", "last friday of the month at 5 pm", "every weekday at 9 am", "every 2 weeks",
        "between 9 am and 5 pm every 30 minutes",
    ];
    for one in words {
        match english_to_cron::str_cron_syntax(one) {
            Err(_) => println!("{one}: error"),
            Ok(text) => match cron::Schedule::from_str(&text) {
                Err(_) => println!("{one}: {text} (refused by cron)"),
                Ok(plan) => {
                    let next: Vec<_> = plan.after(&start).take(3).map(|when| when.format("%a %d %b %Y %H:%M").to_string()).collect();
                    println!("{one}: {text}\n    {}", next.join(", "));
                }
            },
        }
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"english-to-cron"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
every day at 6 am: 0 0 6 */1 * ? *
    Wed 02 Dec 2026 06:00, Thu 03 Dec 2026 06:00, Fri 04 Dec 2026 06:00
every day except sunday at 6 am: 0 0 6 ? * SUN *
    Sun 06 Dec 2026 06:00, Sun 13 Dec 2026 06:00, Sun 20 Dec 2026 06:00
daily at 8: 0 * * * * ? *
    Tue 01 Dec 2026 09:01, Tue 01 Dec 2026 09:02, Tue 01 Dec 2026 09:03
every 3 months: 0 * * * 3 ? *
    Mon 01 Mar 2027 00:00, Mon 01 Mar 2027 00:01, Mon 01 Mar 2027 00:02
on the 10th of every month at 5 am: 0 0 5 * 10 ? *
    Fri 01 Oct 2027 05:00, Sat 02 Oct 2027 05:00, Sun 03 Oct 2027 05:00
on the 31st of the month at 10:00: 0 0 10 * 31 ? * (refused by cron)
last friday of the month at 5 pm: 0 0 17 ? * FRI *
    Fri 04 Dec 2026 17:00, Fri 11 Dec 2026 17:00, Fri 18 Dec 2026 17:00
every weekday at 9 am: 0 0 9 */1 * ? *
    Wed 02 Dec 2026 09:00, Thu 03 Dec 2026 09:00, Fri 04 Dec 2026 09:00
every 2 weeks: 0 * * * * ? *
    Tue 01 Dec 2026 09:01, Tue 01 Dec 2026 09:02, Tue 01 Dec 2026 09:03
between 9 am and 5 pm every 30 minutes: 0 * 9-17 * * ? *
    Tue 01 Dec 2026 09:01, Tue 01 Dec 2026 09:02, Tue 01 Dec 2026 09:03
END
