/** Where the positions of a ring or line are, in a plane whose unit is the radius. */

/** Part of the circle that a line leaves open. */
const GAP = 0.09;

export class Geometry {
  /** @param {string} shape Ring or Line @param {number} positions */
  constructor(shape, positions) {
    this.positions = positions;
    this.closed = shape === "Ring";
    this.start = -Math.PI / 2 + (this.closed ? 0 : GAP * Math.PI);
    this.step = (2 * Math.PI * (this.closed ? 1 : 1 - GAP)) / Math.max(1, this.closed ? positions : positions - 1);
    this.x = new Float64Array(positions);
    this.y = new Float64Array(positions);
    for (let position = 0; position < positions; position++) {
      this.x[position] = Math.cos(this.angle(position));
      this.y[position] = Math.sin(this.angle(position));
    }
  }

  /** @param {number} position may be a fraction */
  angle(position) {
    return this.start + position * this.step;
  }

  /** The position that a hop leads to, -1 where a line ends. @param {number} position @param {number} hop */
  neighbour(position, hop) {
    const to = position + hop;
    return this.closed ? ((to % this.positions) + this.positions) % this.positions : to >= 0 && to < this.positions ? to : -1;
  }

  /** The position nearest to a point of the plane. @param {number} x @param {number} y */
  nearest(x, y) {
    const turns = (Math.atan2(y, x) - this.start) / this.step;
    const around = Math.round((2 * Math.PI) / this.step);
    const position = ((Math.round(turns) % around) + around) % around;
    return position < this.positions ? position : position - this.positions < (around - this.positions) / 2 ? this.positions - 1 : 0;
  }
}
