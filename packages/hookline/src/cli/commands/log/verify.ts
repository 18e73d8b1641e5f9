import { findHome } from '../../../files/home.ts'
import { type Verification, verifyChain } from '../../../fleet/chain.ts'
import { findSpool, listSegments, readSegment } from '../../../fleet/segments.ts'
import { print, printJson } from '../../start/print.ts'

/** Runs `hookline log verify`: says of each segment of the spool whether it is as it was written, and whether it is whole. */
export async function verify({ json = false }: { readonly json?: boolean | undefined }): Promise<number> {
  const found: (Verification & { readonly epoch: string })[] = []
  for (const segment of await listSegments(findSpool(findHome()))) {
    const { lines, rest } = await readSegment(segment)
    const texts = rest === '' || segment.isOpen ? lines : [...lines, rest]
    const { epoch, acked, isOpen } = segment
    found.push({ epoch, ...verifyChain(texts, { epoch, isOpen, ...(acked.seq === 0 ? {} : { known: acked }) }) })
  }
  const isSound = found.every(({ isComplete }) => isComplete)
  if (json) {
    printJson({ segments: found })
    return isSound ? 0 : 1
  }
  if (found.length === 0) print('The spool is empty: records of a fleet are kept there until they are shipped.\n')
  for (const { epoch, lines, isIntact, isComplete, faults } of found) {
    const counted = `${lines} ${lines === 1 ? 'record' : 'records'}`
    print(`${epoch}  ${counted}, ${isIntact ? 'intact' : 'CHANGED'}, ${isComplete ? 'complete' : 'NOT COMPLETE'}\n`)
    for (const { fault, seq, because } of faults) print(`  ${fault}  record ${seq}: ${because}\n`)
  }
  return isSound ? 0 : 1
}
