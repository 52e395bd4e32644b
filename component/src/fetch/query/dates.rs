//! Dates as jq counts them: seconds since 1970, and broken-down time in UTC.

/// Days of the week and months, as `strftime` writes them.
const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Year, month (from 0), day, hours, minutes, seconds, day of the week, day of the year.
pub(super) fn broken_down(seconds: f64) -> [f64; 8] {
    let seconds = seconds.clamp(-1e14, 1e14);
    let whole = seconds.floor();
    let fraction = seconds - whole;
    let whole = whole as i64;
    let (day_number, of_day) = (whole.div_euclid(86_400), whole.rem_euclid(86_400));
    let (year, month, day) = civil(day_number);
    let weekday = (day_number + 4).rem_euclid(7);
    let of_year = day_number - days(year, 1, 1);
    [
        year as f64,
        (month - 1) as f64,
        day as f64,
        (of_day / 3_600) as f64,
        (of_day / 60 % 60) as f64,
        (of_day % 60) as f64 + fraction,
        weekday as f64,
        of_year as f64,
    ]
}

/// Seconds since 1970 of a broken-down time.
pub(super) fn seconds(parts: &[f64; 8]) -> f64 {
    let [year, month, day, hour, minute, second, ..] = parts.map(|part| part.clamp(-1e9, 1e9));
    let months = year as i64 * 12 + month as i64;
    let day_number = days(months.div_euclid(12), months.rem_euclid(12) + 1, 1) + day as i64 - 1;
    day_number as f64 * 86_400.0 + hour * 3_600.0 + minute * 60.0 + second.floor()
}

/// `2015-03-05T23:51:47Z`.
pub(in crate::fetch) fn to_iso(seconds: f64) -> String {
    format(&broken_down(seconds), "%Y-%m-%dT%H:%M:%SZ")
}

/// Seconds since 1970 of a date as ISO 8601 writes it; also with a fraction or an offset.
pub(super) fn from_iso(text: &str) -> Option<f64> {
    let (date, rest) = text.split_at_checked(10)?;
    let (day, time) = (date, rest.strip_prefix(['T', 't', ' '])?);
    let (clock, zone) = time.split_at_checked(8)?;
    let parts = parse(&format!("{day} {clock}"), "%Y-%m-%d %H:%M:%S")?;
    let zone = match zone.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => zone,
    };
    let offset = match zone {
        "Z" | "z" => 0.0,
        zone => {
            let (sign, digits) = match zone.as_bytes().first()? {
                b'+' => (1.0, zone.get(1..)?),
                b'-' => (-1.0, zone.get(1..)?),
                _ => return None,
            };
            let digits: String = digits.chars().filter(|c| *c != ':').collect();
            let (hours, minutes) = digits.split_at_checked(2)?;
            let minutes = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
            sign * f64::from(hours.parse::<u32>().ok()? * 3_600 + minutes * 60)
        }
    };
    Some(seconds(&parts) - offset)
}

/// A broken-down time, as `strftime` writes it in UTC.
pub(super) fn format(parts: &[f64; 8], format: &str) -> String {
    let [year, month, day, hour, minute, second, weekday, of_year] = parts.map(|p| p as i64);
    let month_name = MONTHS[month.rem_euclid(12) as usize];
    let day_name = DAYS[weekday.rem_euclid(7) as usize];
    let hour12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let piece = match chars.next() {
            Some('Y') => year.to_string(),
            Some('y') => format!("{:02}", year.rem_euclid(100)),
            Some('m') => format!("{:02}", month + 1),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{hour12:02}"),
            Some('M') => format!("{minute:02}"),
            Some('S') => format!("{second:02}"),
            Some('j') => format!("{:03}", of_year + 1),
            Some('p') => (if hour < 12 { "AM" } else { "PM" }).to_owned(),
            Some('a') => day_name[..3].to_owned(),
            Some('A') => day_name.to_owned(),
            Some('b' | 'h') => month_name[..3].to_owned(),
            Some('B') => month_name.to_owned(),
            Some('u') => (if weekday == 0 { 7 } else { weekday }).to_string(),
            Some('w') => weekday.to_string(),
            Some('F') => format!("{year}-{:02}-{day:02}", month + 1),
            Some('T') => format!("{hour:02}:{minute:02}:{second:02}"),
            Some('R') => format!("{hour:02}:{minute:02}"),
            Some('D') => format!("{:02}/{day:02}/{:02}", month + 1, year.rem_euclid(100)),
            Some('s') => (seconds(parts) as i64).to_string(),
            Some('Z') => "UTC".to_owned(),
            Some('z') => "+0000".to_owned(),
            Some('n') => "\n".to_owned(),
            Some('t') => "\t".to_owned(),
            Some('%') | None => "%".to_owned(),
            Some(other) => format!("%{other}"),
        };
        out.push_str(&piece);
    }
    out
}

/// Reads a time by the pattern that `strptime` takes.
pub(super) fn parse(text: &str, format: &str) -> Option<[f64; 8]> {
    let (mut year, mut month, mut day) = (1970, 0, 1);
    let (mut hour, mut minute, mut second, mut offset) = (0, 0, 0, 0);
    let (mut epoch, mut afternoon) = (None, None);
    let mut rest = text;
    // What stands for other patterns is written out first.
    let format = format
        .replace("%T", "%H:%M:%S")
        .replace("%F", "%Y-%m-%d")
        .replace("%R", "%H:%M")
        .replace("%D", "%m/%d/%y");
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            if c.is_whitespace() {
                rest = rest.trim_start();
            } else {
                rest = rest.strip_prefix(c)?;
            }
            continue;
        }
        match chars.next()? {
            'Y' => year = digits(&mut rest, 4)?,
            'y' => {
                let two = digits(&mut rest, 2)?;
                year = if two < 69 { 2000 + two } else { 1900 + two };
            }
            'm' => month = digits(&mut rest, 2)? - 1,
            'd' | 'e' => {
                rest = rest.trim_start();
                day = digits(&mut rest, 2)?;
            }
            'H' | 'I' => hour = digits(&mut rest, 2)?,
            'M' => minute = digits(&mut rest, 2)?,
            'S' => second = digits(&mut rest, 2)?,
            'j' => {
                month = 0;
                day = digits(&mut rest, 3)?;
            }
            's' => epoch = Some(digits(&mut rest, 12)?),
            'b' | 'B' | 'h' => month = named(&mut rest, &MONTHS)?,
            'a' | 'A' => drop(named(&mut rest, &DAYS)?),
            'p' => {
                let (word, after) = rest.split_at_checked(2)?;
                afternoon = Some(word.eq_ignore_ascii_case("pm"));
                rest = after;
            }
            'Z' => {
                rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            }
            'z' => {
                if let Some(after) = rest.strip_prefix('Z') {
                    rest = after;
                } else {
                    let sign = if rest.starts_with('-') { -1 } else { 1 };
                    rest = rest.get(1..)?;
                    let hours = digits(&mut rest, 2)?;
                    rest = rest.strip_prefix(':').unwrap_or(rest);
                    offset = sign * (hours * 3_600 + digits(&mut rest, 2)? * 60);
                }
            }
            '%' => rest = rest.strip_prefix('%')?,
            _ => return None,
        }
    }
    if !rest.is_empty() || !(0..12).contains(&month) || !(1..=366).contains(&day) {
        return None;
    }
    if let Some(afternoon) = afternoon {
        hour = hour % 12 + if afternoon { 12 } else { 0 };
    }
    let plain = [year, month, day, hour, minute, second, 0, 0].map(|part: i64| part as f64);
    let at = epoch.map_or_else(|| seconds(&plain), |epoch| epoch as f64);
    Some(broken_down(at - offset as f64))
}

fn digits(rest: &mut &str, most: usize) -> Option<i64> {
    let count = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at_checked(count)?;
    *rest = after;
    number.parse().ok()
}

fn named(rest: &mut &str, names: &[&str]) -> Option<i64> {
    for (index, name) in names.iter().enumerate() {
        for name in [name, &name[..3]] {
            if let Some((word, after)) = rest.split_at_checked(name.len())
                && word.eq_ignore_ascii_case(name)
            {
                *rest = after;
                return Some(index as i64);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_go_there_and_back() {
        for (text, at) in [
            ("1970-01-01T00:00:00Z", 0.0),
            ("2015-03-05T23:51:47Z", 1_425_599_507.0),
            ("2000-02-29T12:00:00Z", 951_825_600.0),
            ("1969-12-31T23:59:59Z", -1.0),
        ] {
            assert_eq!(from_iso(text), Some(at), "{text}");
            assert_eq!(to_iso(at), text);
        }
        assert_eq!(from_iso("2015-03-05T23:51:47.123+02:00"), Some(1_425_592_307.0));
        assert_eq!(from_iso("yesterday"), None);
        let parts = parse("Thu, 05 Mar 2015 23:51:47 +0000", "%a, %d %b %Y %T %z").unwrap();
        assert_eq!(seconds(&parts), 1_425_599_507.0);
        assert_eq!(format(&parts, "%A %j %I%p"), "Thursday 064 11PM");
    }
}
