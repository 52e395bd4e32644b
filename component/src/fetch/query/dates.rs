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
    format(&broken_down(seconds), "%Y-%m-%dT%H:%M:%SZ").unwrap_or_default()
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

/// What some conversions stand for.
fn compound(conversion: char) -> Option<&'static str> {
    Some(match conversion {
        'T' | 'X' => "%H:%M:%S",
        'F' => "%Y-%m-%d",
        'R' => "%H:%M",
        'D' | 'x' => "%m/%d/%y",
        'r' => "%I:%M:%S %p",
        'c' => "%a %b %e %H:%M:%S %Y",
        _ => return None,
    })
}

/// The year and the week to which a day belongs by ISO 8601. The day of the week counts from Sunday, that of the
/// year from 0.
fn iso_week(year: i64, weekday: i64, of_year: i64) -> (i64, i64) {
    let weeks = |year: i64| {
        let first = |year| (days(year, 1, 1) + 3).rem_euclid(7);
        52 + i64::from(first(year) == 3 || first(year + 1) == 4)
    };
    match (of_year - (weekday + 6) % 7 + 10) / 7 {
        0 => (year - 1, weeks(year - 1)),
        week if week > weeks(year) => (year + 1, 1),
        week => (year, week),
    }
}

/// A broken-down time, as `strftime` writes it in UTC.
///
/// # Errors
/// The conversion that is not known.
pub(super) fn format(parts: &[f64; 8], format: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut open = vec![format.chars()];
    while let Some(chars) = open.last_mut() {
        match chars.next() {
            None => drop(open.pop()),
            Some('%') => {
                let flag = chars.clone().next().filter(|c| "-_0^".contains(*c));
                if flag.is_some() {
                    chars.next();
                }
                let Some(conversion) = chars.next() else {
                    out.push('%');
                    continue;
                };
                match compound(conversion) {
                    Some(parts) => open.push(parts.chars()),
                    None => convert(parts, flag, conversion, &mut out).ok_or_else(|| {
                        format!("{}{conversion}", flag.map_or(String::new(), String::from))
                    })?,
                }
            }
            Some(c) => out.push(c),
        }
    }
    Ok(out)
}

/// Writes one conversion; nothing where it is not known.
fn convert(parts: &[f64; 8], flag: Option<char>, conversion: char, out: &mut String) -> Option<()> {
    let [year, month, day, hour, minute, second, weekday, of_year] = parts.map(|p| p as i64);
    let month_name = MONTHS[month.rem_euclid(12) as usize];
    let day_name = DAYS[weekday.rem_euclid(7) as usize];
    let hour12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let half = if hour < 12 { "AM" } else { "PM" };
    let iso = iso_week(year, weekday, of_year);
    let (number, width, blank) = match conversion {
        'Y' => (year, 1, false),
        'C' => (year.div_euclid(100), 2, false),
        'y' => (year.rem_euclid(100), 2, false),
        'G' => (iso.0, 1, false),
        'g' => (iso.0.rem_euclid(100), 2, false),
        'V' => (iso.1, 2, false),
        'U' => ((of_year + 7 - weekday) / 7, 2, false),
        'W' => ((of_year + 7 - (weekday + 6) % 7) / 7, 2, false),
        'm' => (month + 1, 2, false),
        'd' => (day, 2, false),
        'e' => (day, 2, true),
        'H' => (hour, 2, false),
        'k' => (hour, 2, true),
        'I' => (hour12, 2, false),
        'l' => (hour12, 2, true),
        'M' => (minute, 2, false),
        'S' => (second, 2, false),
        'j' => (of_year + 1, 3, false),
        'u' => (if weekday == 0 { 7 } else { weekday }, 1, false),
        'w' => (weekday, 1, false),
        's' => (seconds(parts) as i64, 1, false),
        _ => {
            let text = match conversion {
                'p' => half.to_owned(),
                'P' => half.to_lowercase(),
                'a' => day_name[..3].to_owned(),
                'A' => day_name.to_owned(),
                'b' | 'h' => month_name[..3].to_owned(),
                'B' => month_name.to_owned(),
                'Z' => "UTC".to_owned(),
                'z' => "+0000".to_owned(),
                'n' => "\n".to_owned(),
                't' => "\t".to_owned(),
                '%' => "%".to_owned(),
                _ => return None,
            };
            out.push_str(&if flag == Some('^') { text.to_ascii_uppercase() } else { text });
            return Some(());
        }
    };
    out.push_str(&match flag {
        Some('-') => number.to_string(),
        Some('_') => format!("{number:width$}"),
        None if blank => format!("{number:width$}"),
        _ => format!("{number:0width$}"),
    });
    Some(())
}

/// Reads a time by the pattern that `strptime` takes.
pub(super) fn parse(text: &str, format: &str) -> Option<[f64; 8]> {
    let (mut year, mut month, mut day) = (1970, 0, 1);
    let (mut hour, mut minute, mut second, mut offset) = (0, 0, 0, 0);
    let (mut epoch, mut afternoon) = (None, None);
    let mut rest = text;
    let mut open = vec![format.chars()];
    while let Some(chars) = open.last_mut() {
        let Some(c) = chars.next() else {
            open.pop();
            continue;
        };
        if c != '%' {
            if c.is_whitespace() {
                rest = rest.trim_start();
            } else {
                rest = rest.strip_prefix(c)?;
            }
            continue;
        }
        let conversion = chars.next()?;
        if let Some(parts) = compound(conversion) {
            open.push(parts.chars());
            continue;
        }
        match conversion {
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
            'z' => offset = zone(&mut rest)?.unwrap_or(offset),
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

/// The seconds of `+02:00`; nothing for `Z`.
fn zone(rest: &mut &str) -> Option<Option<i64>> {
    if let Some(after) = rest.strip_prefix('Z') {
        *rest = after;
        return Some(None);
    }
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    *rest = rest.get(1..)?;
    let hours = digits(rest, 2)?;
    *rest = rest.strip_prefix(':').unwrap_or(rest);
    Some(Some(sign * (hours * 3_600 + digits(rest, 2)? * 60)))
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
        for (form, gives) in [
            ("%A %j %I%p", "Thursday 064 11PM"),
            ("%c|%x|%X|%r", "Thu Mar  5 23:51:47 2015|03/05/15|23:51:47|11:51:47 PM"),
            ("%C %k %l%P %-d %_d %-m %^a %%c", "20 23 11pm 5  5 3 THU %c"),
            ("%G-W%V %g %U %W", "2015-W10 15 09 09"),
        ] {
            assert_eq!(format(&parts, form).unwrap(), gives, "{form}");
        }
        assert_eq!(format(&parts, "%Y %Q"), Err("Q".to_owned()));
        // As the C library has them.
        for (day, week) in [
            ("2021-01-03", "2020-53 01 00"),
            ("2021-01-04", "2021-01 01 01"),
            ("2024-12-30", "2025-01 52 53"),
            ("2026-12-31", "2026-53 52 52"),
            ("2028-01-01", "2027-52 00 00"),
            ("2020-12-31", "2020-53 52 52"),
            ("2023-01-01", "2022-52 01 00"),
        ] {
            let parts = parse(day, "%F").unwrap();
            assert_eq!(format(&parts, "%G-%V %U %W").unwrap(), week, "{day}");
        }
    }
}
