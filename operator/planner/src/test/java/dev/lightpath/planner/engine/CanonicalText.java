package dev.lightpath.planner.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A value as text that stays the same when types, components and constants are renamed: a record is its values in the
 * order of its components, a record of a sealed type begins with its place among the permitted ones, a constant and a
 * single word are told without case and underscores. O(size).
 */
final class CanonicalText {
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
            return components;
        }
    };

    private final StringBuilder text = new StringBuilder();

    private CanonicalText() {}

    static String of(Object value) {
        CanonicalText canonical = new CanonicalText();
        canonical.write(value);
        return canonical.text.toString();
    }

    private void write(Object value) {
        switch (value) {
            case Optional<?> optional -> optional.ifPresentOrElse(this::write, () -> text.append('-'));
            case Map<?, ?> map -> {
                text.append('{');
                map.forEach((key, each) -> {
                    write(key);
                    text.append('=');
                    write(each);
                    text.append('\n');
                });
                text.append('}');
            }
            case Collection<?> collection -> {
                text.append('[');
                collection.forEach(each -> {
                    write(each);
                    text.append(';');
                });
                text.append(']');
            }
            case Enum<?> constant -> text.append(word(constant.name()));
            case String string -> text.append(isWord(string) ? word(string) : string);
            case Record of -> {
                write(of);
            }
            default -> text.append(value);
        }
    }

    private void write(Record of) {
        text.append(place(of.getClass())).append('(');
        for (RecordComponent component : COMPONENTS.get(of.getClass())) {
            try {
                write(component.getAccessor().invoke(of));
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(component.toString(), e);
            }
            text.append(',');
        }
        text.append(')');
    }

    private static String place(Class<?> type) {
        for (Class<?> above : type.getInterfaces()) {
            if (above.isSealed()) {
                Class<?>[] permitted = above.getPermittedSubclasses();
                for (int index = 0; index < permitted.length; index++) {
                    if (permitted[index].equals(type)) {
                        return Integer.toString(index);
                    }
                }
            }
        }
        return "";
    }

    private static boolean isWord(String text) {
        return text.chars().allMatch(letter -> letter == '_' || letter < 128 && Character.isLetterOrDigit(letter));
    }

    private static String word(String text) {
        return text.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
