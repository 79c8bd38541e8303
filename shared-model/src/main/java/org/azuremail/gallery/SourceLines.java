package org.azuremail.gallery;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Finds the positions in a source by their lines, which count from 1. */
final class SourceLines {

    private final String source;
    private final int[] begins; // the start of each line, from 0

    SourceLines(String source) {
        this.source = source;
        this.begins = IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, source.length())
                                .filter(i -> source.charAt(i) == '\n')
                                .map(i -> i + 1))
                .toArray();
    }

    int position(int line, int column) {
        return Math.min(source.length(), begins[line - 1] + column - 1);
    }

    int tagBefore(int position) {
        return source.lastIndexOf('<', position - 1);
    }

    /**
     * Returns the first position of a piece from a place on, or the place itself if the source spells the piece
     * differently.
     */
    int find(String piece, int from) {
        return Math.max(from, source.indexOf(piece, from));
    }

    int lineOf(int position) {
        int line = Arrays.binarySearch(begins, position);
        return line < 0 ? -line - 1 : line + 1;
    }
}
