package dev.lightpath.planner.torus;

/** Sizes along x, y and z: chips or cubes. Coordinates (x, y, z) have index {@code x + X * (y + Y * z)}. */
public record Shape(int x, int y, int z) {
    /** @throws IllegalArgumentException if a size is below 1 or the volume above 2^20 */
    public Shape {
        if (x < 1 || y < 1 || z < 1 || (long) x * y * z > 1 << 20) {
            throw new IllegalArgumentException(
                    "shape " + x + "x" + y + "x" + z + ": three sizes of at least 1, at most " + (1 << 20) + " in all");
        }
    }

    /**
     * Reads "4x4x8".
     *
     * @throws IllegalArgumentException if the text is not three positive numbers with x between
     */
    public static Shape parse(String text) {
        String[] parts = text.split("x", -1);
        if (parts.length == 3) {
            try {
                return new Shape(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("shape \"" + text + "\": write three sizes like 4x4x8", e);
            }
        }
        throw new IllegalArgumentException("shape \"" + text + "\": write three sizes like 4x4x8");
    }

    public int volume() {
        return x * y * z;
    }

    /** The size along axis 0 (x), 1 (y) or 2 (z). */
    public int size(int axis) {
        return switch (axis) {
            case 0 -> x;
            case 1 -> y;
            case 2 -> z;
            default -> throw new IllegalArgumentException("axis " + axis + ": 0, 1 or 2");
        };
    }

    /** The coordinate of a vertex along an axis. */
    public int coordinate(int vertex, int axis) {
        return switch (axis) {
            case 0 -> vertex % x;
            case 1 -> vertex / x % y;
            case 2 -> vertex / x / y;
            default -> throw new IllegalArgumentException("axis " + axis + ": 0, 1 or 2");
        };
    }

    public int index(int cx, int cy, int cz) {
        return cx + x * (cy + y * cz);
    }

    @Override
    public String toString() {
        return x + "x" + y + "x" + z;
    }
}
