const width = 120;
const height = 28;

/** A line of numbers, the newest at the right. */
export function Sparkline({ points, label }: { points: readonly number[]; label: string }) {
  const lowest = Math.min(...points);
  const highest = Math.max(...points, lowest + 1);
  const place = (value: number, at: number) => {
    const x = points.length < 2 ? width : (at / (points.length - 1)) * width;
    return `${x.toFixed(1)},${(height - 2 - ((value - lowest) / (highest - lowest)) * (height - 4)).toFixed(1)}`;
  };
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}: now ${points.at(-1)}`}>
      <polyline points={points.map(place).join(" ")} />
    </svg>
  );
}
