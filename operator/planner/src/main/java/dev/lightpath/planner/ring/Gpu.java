package dev.lightpath.planner.ring;

/**
 * One GPU of the fabric.
 *
 * @param position ring position of its node
 * @param index 0..gpusPerNode-1
 */
public record Gpu(int position, int index) {

    @Override
    public String toString() {
        return position + "." + index;
    }
}
