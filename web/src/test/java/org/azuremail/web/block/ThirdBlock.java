package org.azuremail.web.block;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A block of words. It consists of this class and a template; the product knows nothing else about it. */
public record ThirdBlock(List<String> words) implements Block {

    @Override
    public String name() {
        return "third";
    }

    @Override
    public List<String> fields() {
        return List.of("word", "length");
    }

    @Override
    public List<Item> find(Instant now, int max, boolean descending) {
        return words.stream()
                .map(word -> new Item(
                        Map.of("word", word, "note", "\"" + word + "\"", "length", Integer.toString(word.length())),
                        Map.of()))
                .toList();
    }
}
