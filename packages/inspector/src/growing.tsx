import { useEffect, useRef, useState } from 'preact/hooks'

/** Rows that are drawn before anybody scrolls. */
const FIRST_ROWS = 40
const MORE_ROWS = 120

/** Number of rows of a long table that are drawn: some at first, more when its end comes into sight. */
export function useGrowing(
  count: number,
  name: string,
): { shown: number; end: { current: HTMLParagraphElement | null } } {
  const [wanted, setWanted] = useState(FIRST_ROWS)
  const end = useRef<HTMLParagraphElement>(null)
  useEffect(() => setWanted(FIRST_ROWS), [name])
  useEffect(() => {
    const element = end.current
    if (element === null || wanted >= count) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setWanted(wanted + MORE_ROWS),
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [wanted, count])
  return { shown: Math.min(wanted, count), end }
}
