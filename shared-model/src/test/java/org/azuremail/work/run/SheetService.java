package org.azuremail.work.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;

/** Handles sheets by a script of the test, and counts the beginnings. */
public final class SheetService implements QueueService<Sheet> {

    /** The behaviour of a handler. */
    public interface Script {
        WorkResult handle(Sheet sheet, Delivery delivery) throws Exception;
    }

    static final Duration VISIBILITY = Duration.ofSeconds(60);

    public final List<String> begun = new ArrayList<>();
    private final Script script;
    private final ItemType<Sheet> type;
    private boolean deadLetters = true;
    private Duration visibility = VISIBILITY;

    public SheetService(Script script) {
        this(script, Sheet.TYPE);
    }

    SheetService(Script script, ItemType<Sheet> type) {
        this.script = script;
        this.type = type;
    }

    public static SheetService thatAnswers(WorkResult result) {
        return new SheetService((sheet, delivery) -> result);
    }

    static SheetService thatThrows(Throwable problem) {
        return new SheetService((sheet, delivery) -> {
            if (problem instanceof Error error) {
                throw error;
            }
            throw (Exception) problem;
        });
    }

    SheetService withoutDeadLetters() {
        deadLetters = false;
        return this;
    }

    SheetService hiddenFor(Duration whileHandled) {
        visibility = whileHandled;
        return this;
    }

    @Override
    public ItemType<Sheet> itemType() {
        return type;
    }

    @Override
    public WorkResult handle(Sheet sheet, Delivery delivery) throws Exception {
        begun.add(sheet.text());
        return script.handle(sheet, delivery);
    }

    @Override
    public Duration visibility() {
        return visibility;
    }

    @Override
    public boolean deadLetters() {
        return deadLetters;
    }
}
