package dev.lightpath.planner.words;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Some of many, in sentences for people. */
public final class Words {
    /** How many names a sentence of a verdict has room for. */
    private static final int FEW = 4;

    private Words() {}

    /** At most so many characters of it. */
    public static String cut(String word, int most) {
        if (word.length() <= most) {
            return word;
        }
        return word.substring(0, Character.isHighSurrogate(word.charAt(most - 1)) ? most - 1 : most);
    }

    /** The same of a sentence, which then ends with dots: with these it has at most so many characters. */
    public static String shortened(String sentence, int most) {
        return sentence.length() <= most ? sentence : cut(sentence, most - 4).stripTrailing() + " ...";
    }

    /** At most so many of them, in their order, and how many there are besides: {@code a, b and 3 more}. */
    public static String first(int most, Collection<?> names) {
        String first = String.join(
                ", ", names.stream().limit(most).map(Object::toString).toList());
        return first + (names.size() > most ? " and " + (names.size() - most) + " more" : "");
    }

    /** The same as a list, whose last item says how many there are besides. */
    public static List<String> some(int most, List<String> names) {
        if (names.size() <= most) {
            return names;
        }
        List<String> some = new ArrayList<>(names.subList(0, most));
        some.add("and " + (names.size() - most) + " more");
        return some;
    }

    /** A few of them, as a list. */
    public static List<String> few(List<String> names) {
        return some(FEW, names);
    }

    /** A few of them, sorted. */
    public static String sorted(Collection<String> names) {
        return String.join(", ", few(names.stream().sorted().toList()));
    }

    /** How many there are, and a few of them: {@code 9 links, a, b, c, d among them}. @param noun in the plural */
    public static String counted(Collection<?> names, String noun) {
        String some = String.join(
                ", ", names.stream().limit(FEW).map(Object::toString).toList());
        return names.size() + " " + noun + (names.size() > FEW ? ", " + some + " among them" : ": " + some);
    }
}
