import { eraseInput, eraseRecord, isErasing } from './erasure.ts'
import type { Stage } from './pipe.ts'

/** Keeps a field of an event that is refused out of its record and of what hooks say later. */
export const erasing: Stage = {
  decision: (_session, { row, erasure }, decision) => {
    erasure?.decide(isErasing(row, decision))
    return decision
  },
  record: (_session, { row, erasure }, { record, input }) => {
    if (erasure === null || !isErasing(row, record.decision)) return { record, input }
    return { record: eraseRecord(record, erasure.erase), input: eraseInput(row, input, erasure.erase) }
  },
}
