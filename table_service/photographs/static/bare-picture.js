/* A camera's JPEG without what was written beside the picture (place, time, phone, thumbnail, films), and not packed anew:
   `bare_jpeg.py` in the browser. Of EXIF the orientation stays. */
const ORIENTATION = 0x0112;

/* The picture's file and its size as seen; null for another kind of file, or one that is cut or odd. */
export async function bare(file) {
  const bytes = new Uint8Array(await file.arrayBuffer()), view = new DataView(bytes.buffer);
  if (bytes.length < 4 || view.getUint16(0) !== 0xFFD8) { return null; }
  const kept = [];
  let turned = 1, size = null, at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xFF) {
    const kind = bytes[at + 1];
    if (kind === 0xFF) { at += 1; continue; }
    if (kind === 0xD9) { break; }
    let end = at + 2 + view.getUint16(at + 2);
    if (kind >= 0xC0 && kind <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(kind) && at + 9 <= bytes.length) { size = [view.getUint16(at + 7), view.getUint16(at + 5)]; }
    if (kind === 0xDA) { end = end_of_scan(bytes, end); }
    if (end > bytes.length) { return null; }
    if (kind === 0xE1 && turned === 1) { turned = orientation(bytes, view, at + 4, end); }
    if (belongs(kind, end - at)) { kept.push(bytes.subarray(at, end)); }
    at = end;
  }
  if (!size || at + 2 > bytes.length || view.getUint16(at) !== 0xFFD9) { return null; }
  return { blob: new Blob([Uint8Array.of(0xFF, 0xD8), ...turn(turned), ...kept, Uint8Array.of(0xFF, 0xD9)], { type: "image/jpeg" }), size: turned > 4 ? size.reverse() : size };
}
/* a byte 255 that is no data (a 0 follows then) and no mark of restart */
function end_of_scan(bytes, from) {
  for (let at = bytes.indexOf(0xFF, from); at >= 0; at = bytes.indexOf(0xFF, at + 1)) {
    let next = at + 1;
    while (bytes[next] === 0xFF) { next += 1; }
    if (next >= bytes.length) { break; }
    if (bytes[next] !== 0 && !(bytes[next] >= 0xD0 && bytes[next] <= 0xD7)) { return at; }
    at = next;
  }
  return bytes.length + 1;
}
const belongs = (kind, length) => (kind === 0xE0 ? length === 18 : kind === 0xEE || !((kind >= 0xE0 && kind <= 0xEF) || kind === 0xFE));
function turn(told) {
  return told === 1 ? [] : [Uint8Array.of(0xFF, 0xE1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, told, 0, 0, 0, 0, 0, 0)];
}
function orientation(bytes, view, from, end) {
  if (String.fromCharCode(...bytes.subarray(from, from + 6)) !== "Exif\0\0" || end < from + 14) { return 1; }
  const tiff = from + 6, little = bytes[tiff] === 0x49, at = tiff + view.getUint32(tiff + 4, little), count = at + 2 <= end ? view.getUint16(at, little) : 0;
  for (let entry = at + 2; entry < at + 2 + 12 * count && entry + 12 <= end; entry += 12) {
    if (view.getUint16(entry, little) !== ORIENTATION) { continue; }
    const told = view.getUint16(entry + 8, little);
    return told >= 1 && told <= 8 ? told : 1;
  }
  return 1;
}
