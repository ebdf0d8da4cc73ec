package dev.lightpath.planner.torus;

/**
 * How far the wrap-around links are shifted: {@code xy} is the shift along y of the links that wrap in x (written x|y),
 * and so on. Units are the shape's: chips for a torus of chips, cubes for an arrangement of cubes.
 */
public record Twist(int xy, int xz, int yx, int yz, int zx, int zy) {
    /** The regular torus. */
    public static final Twist NONE = new Twist(0, 0, 0, 0, 0, 0);

    /** The shifts of a pattern of half dimensions: bit 5 is x|y, then x|z, y|x, y|z, z|x, bit 0 is z|y. */
    public static Twist half(Shape shape, int pattern) {
        return new Twist(
                (pattern >> 5 & 1) * (shape.y() / 2),
                (pattern >> 4 & 1) * (shape.z() / 2),
                (pattern >> 3 & 1) * (shape.x() / 2),
                (pattern >> 2 & 1) * (shape.z() / 2),
                (pattern >> 1 & 1) * (shape.x() / 2),
                (pattern & 1) * (shape.y() / 2));
    }

    /** The shift along {@code along} of links that wrap in {@code wrapping}; 0 if they are the same axis. */
    public int shift(int wrapping, int along) {
        return switch (3 * wrapping + along) {
            case 1 -> xy;
            case 2 -> xz;
            case 3 -> yx;
            case 5 -> yz;
            case 6 -> zx;
            case 7 -> zy;
            default -> 0;
        };
    }

    /** The same twist in units that are {@code factor} times smaller. */
    public Twist times(int factor) {
        return new Twist(xy * factor, xz * factor, yx * factor, yz * factor, zx * factor, zy * factor);
    }

    /**
     * This twist of chips as a twist of cubes of 4x4x4.
     *
     * @throws IllegalArgumentException if a shift is no multiple of 4 chips, naming it
     */
    public Twist inCubes() {
        String[] names = {"", "x|y", "x|z", "y|x", "", "y|z", "z|x", "z|y", ""};
        for (int i = 0; i < names.length; i++) {
            int shift = shift(i / 3, i % 3);
            if (shift % CubeArrangement.EDGE_CHIPS != 0) {
                throw new IllegalArgumentException("shift " + names[i] + " is " + shift
                        + " chips: switches join whole cubes, so a multiple of " + CubeArrangement.EDGE_CHIPS);
            }
        }
        return new Twist(xy / 4, xz / 4, yx / 4, yz / 4, zx / 4, zy / 4);
    }

    /** The six shifts in the order x|y, x|z, y|x, y|z, z|x, z|y. */
    public int[] toArray() {
        return new int[] {xy, xz, yx, yz, zx, zy};
    }
}
