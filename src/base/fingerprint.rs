//! Hashes that are the same in every run and on every machine.

/// Returns the 64-bit FNV-1a hash of `parts`.
pub fn fingerprint(parts: &[&str]) -> u64 {
    parts
        .join("\0")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}
