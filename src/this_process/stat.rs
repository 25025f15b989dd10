//! What the system says of a process in `/proc/PID/stat`.

/// The fields that are read of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "other systems are asked by `ps`")
)]
pub(crate) struct Stat {
    pub(crate) pid: u32,
    pub(crate) name: Vec<u8>,
    /// It is over, and only waits to be taken off the table.
    pub(crate) ended: bool,
    /// 0 where there is none that can be seen.
    pub(crate) parent: u32,
    pub(crate) group: u32,
    pub(crate) has_terminal: bool,
    /// When it began, in hundredths of a second since the system did; none in a line cut short.
    pub(crate) began: Option<u64>,
}

/// Reads `pid (name) state parent group session terminal …`; the name may contain anything.
pub(crate) fn parse(stat: &[u8]) -> Option<Stat> {
    const BEGAN: usize = 19;
    let open = stat.iter().position(|byte| *byte == b'(')?;
    let close = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = String::from_utf8_lossy(stat.get(close + 1..)?).into_owned();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let pid = String::from_utf8_lossy(stat.get(..open)?);
    Some(Stat {
        pid: pid.trim().parse().ok()?,
        name: stat.get(open + 1..close)?.to_vec(),
        ended: matches!(*fields.first()?, "Z" | "X" | "x"),
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        has_terminal: fields.get(4).is_some_and(|number| *number != "0"),
        began: fields.get(BEGAN).and_then(|field| field.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_any_name_are_read() {
        let cases = [
            ("12 (sh) S 3 4 5 0", Some((12, 3, 4, false))),
            ("12 (a) R 9 9 (b) Z 3 4 5", Some((12, 3, 4, true))),
            ("12 (a\n) b) X 3 4 5", Some((12, 3, 4, true))),
            ("2 (kthreadd) S 0 0 0", Some((2, 0, 0, false))),
            ("", None),
            ("12 (sh", None),
        ];
        for (line, expected) in cases {
            let found = parse(line.as_bytes());
            let found = found.map(|stat| (stat.pid, stat.parent, stat.group, stat.ended));
            assert_eq!(found, expected, "{line:?}");
        }
        let line = b"12 (a) b) S 3 4 5 34816 7 8 9 10 11 12 13 14 15 16 17 18 19 20 4711 22";
        let stat = parse(line).expect("a process");
        assert_eq!((stat.began, stat.has_terminal), (Some(4711), true));
        assert_eq!(stat.name, b"a) b");
    }
}
