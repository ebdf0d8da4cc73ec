package dev.lightpath.reading.pod;

import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.words.Sha256;
import dev.lightpath.planner.words.Words;
import java.nio.ByteBuffer;

/** Names of what is made for a job. */
public final class JobNames {
    /** No vowels and nothing that looks like another character. */
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private static final int HASH_LENGTH = 5;
    private static final int LONGEST_JOB_SET = 40;
    private static final int LONGEST_SLICE = 63;

    private JobNames() {}

    /** Of the JobSet that is made for a job. */
    public static String jobSet(TrainingJob job) {
        return jobSet(job.getMetadata().getName(), job.getMetadata().getUid());
    }

    /**
     * {@code <job>-<hash of the UID>}, at most 40 characters, because names of pods add to it. It becomes the name of a
     * headless Service, which begins with a letter.
     */
    public static String jobSet(String job, String uid) {
        String start = Character.isDigit(job.charAt(0)) ? "j" + job : job;
        return cut(start, LONGEST_JOB_SET - 1 - HASH_LENGTH) + "-" + hash(uid);
    }

    /**
     * {@code <job>-<fabric>-<attempt>-<hash of the UID>}. Above 63 characters job and fabric are shortened and the hash
     * covers both, so that two fabrics of one beginning keep their slices apart.
     */
    public static String slice(String job, String fabric, int attempt, String uid) {
        String name = job + "-" + fabric + "-" + attempt + "-" + hash(uid);
        if (name.length() <= LONGEST_SLICE) {
            return name;
        }
        String end = "-" + attempt + "-" + hash(uid + "/" + job + "/" + fabric);
        int room = LONGEST_SLICE - end.length() - 1;
        int ofFabric = Math.min(fabric.length(), Math.max(room / 2, room - job.length()));
        return cut(job, room - ofFabric) + "-" + cut(fabric, ofFabric) + end;
    }

    private static String cut(String name, int length) {
        String head = Words.cut(name, length);
        int end = head.length();
        while (end > 1 && !Character.isLetterOrDigit(head.charAt(end - 1))) {
            end--;
        }
        return head.substring(0, end);
    }

    /** Short, of letters and digits; the same for the same text. */
    private static String hash(String text) {
        long rest = ByteBuffer.wrap(Sha256.of(text)).getLong();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < HASH_LENGTH; i++) {
            word.append(ALPHABET.charAt((int) Long.remainderUnsigned(rest, ALPHABET.length())));
            rest = Long.divideUnsigned(rest, ALPHABET.length());
        }
        return word.toString();
    }
}
