/** 1, 2, 5, 10, 20, 50 and so on, up to `most`. */
export function oneTwoFive(most: number): number[] {
  const all: number[] = [];
  for (let decade = 1; decade <= most; decade *= 10)
    all.push(...[1, 2, 5].map((one) => one * decade).filter((one) => one <= most));
  return all;
}
