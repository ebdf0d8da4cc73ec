package dev.lightpath.planner.ring;

import java.util.AbstractSet;
import java.util.BitSet;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** A set of positions of a ring, one bit for each: what is asked of thousands of positions costs no object for each. */
public final class Positions extends AbstractSet<Integer> {
    private final BitSet bits;

    private Positions(BitSet bits) {
        this.bits = bits;
    }

    /** These positions. @param bits not copied: the set is a view of them */
    public static Positions of(BitSet bits) {
        return new Positions(bits);
    }

    @Override
    public boolean contains(Object position) {
        return position instanceof Integer at && at >= 0 && bits.get(at);
    }

    @Override
    public boolean add(Integer position) {
        boolean added = !bits.get(position);
        bits.set(position);
        return added;
    }

    @Override
    public boolean remove(Object position) {
        boolean there = contains(position);
        if (there) {
            bits.clear((Integer) position);
        }
        return there;
    }

    @Override
    public int size() {
        return bits.cardinality();
    }

    @Override
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /** In ascending order. */
    @Override
    public Iterator<Integer> iterator() {
        return new Iterator<>() {
            private int next = bits.nextSetBit(0);
            private int last = -1;

            @Override
            public boolean hasNext() {
                return next >= 0;
            }

            @Override
            public Integer next() {
                if (next < 0) {
                    throw new NoSuchElementException();
                }
                last = next;
                next = bits.nextSetBit(last + 1);
                return last;
            }

            @Override
            public void remove() {
                if (last < 0 || !bits.get(last)) {
                    throw new IllegalStateException("nothing was returned that is still there");
                }
                bits.clear(last);
            }
        };
    }
}
