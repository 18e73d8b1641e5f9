/** The first bytes of an answer, however much is sent; `cut` when there was more. */
export async function readFirstBytes({ body }: Response, most: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break // leaving the loop ends the transfer
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), cut: size > most }
}
