export function isLit(hour) {
  return hour < 6 || hour >= 20
}
